"""Durations that a definition states."""

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.durations import Duration, read_seconds
from lineagegraph.model.waits.terms import LONGEST

__all__ = ["Duration", "seconds"]


def seconds(duration: Duration, what: str, origin: Origin) -> float:
    """Return a duration in seconds; a plain number is seconds."""
    value = read_seconds(duration)
    if value is None:
        raise DefinitionError(
            f"{origin}: {what} {duration!r} is no duration: write it as '5s', '10m' or '1.5h'"
        )
    return value


def bounded_seconds(duration: Duration, what: str, origin: Origin, least: float = 0.0) -> float:
    """Return a duration in seconds that is neither less than `least` nor beyond ten years."""
    found = read_seconds(duration)
    if found is None:
        raise DefinitionError(
            f"{origin}: {what}={duration!r} is no duration: write it as '30m', '36h' or '7d'"
        )
    if not least <= found <= LONGEST:
        raise DefinitionError(
            f"{origin}: {what}={duration!r} must lie between {least:g} seconds and ten years"
        )
    return found
