"""Durations as people write them: `5s`, `10m`, `1.5h`."""

import re
from datetime import timedelta

Duration = str | int | float | timedelta

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)")


def read_seconds(duration: object) -> float | None:
    """Return a duration in seconds, None where it is none; a plain number is seconds."""
    value = _seconds(duration)
    return value if value is not None and 0 <= value < float("inf") else None


def say_seconds(seconds: float) -> str:
    """Return a duration in the largest unit that says it in full."""
    whole = [unit for unit, size in _UNITS.items() if seconds >= size and seconds % size == 0]
    unit = max(whole, key=_UNITS.__getitem__, default="s")
    return f"{seconds / _UNITS[unit]:g}{unit}"


def _seconds(duration: object) -> float | None:
    match duration:
        case timedelta():
            return duration.total_seconds()
        case bool():
            return None
        case int() | float():
            return float(duration)
        case str() if found := _WRITTEN.fullmatch(duration):
            return float(found[1]) * _UNITS[found[2]]
    return None
