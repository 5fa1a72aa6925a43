"""Durations as people write them: `5s`, `10m`, `1.5h`."""

import re
from datetime import timedelta

from lineagegraph.definitions.origin import Origin
from lineagegraph.errors import DefinitionError

Duration = str | int | float | timedelta

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(duration: Duration, what: str, origin: Origin) -> float:
    """Return a duration in seconds; a plain number is seconds."""
    value = _seconds(duration)
    if value is None or not 0 <= value < float("inf"):
        raise DefinitionError(
            f"{origin}: {what} {duration!r} is no duration: write it as '5s', '10m' or '1.5h'"
        )
    return value


def _seconds(duration: object) -> float | None:
    match duration:
        case timedelta():
            return duration.total_seconds()
        case bool():
            return None
        case int() | float():
            return float(duration)
        case str() if found := re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)", duration):
            return float(found[1]) * _UNITS[found[2]]
    return None
