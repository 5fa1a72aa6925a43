"""Durations that a definition states."""

from lineagegraph.definitions.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.durations import Duration, read_seconds

__all__ = ["Duration", "seconds"]


def seconds(duration: Duration, what: str, origin: Origin) -> float:
    """Return a duration in seconds; a plain number is seconds."""
    value = read_seconds(duration)
    if value is None:
        raise DefinitionError(
            f"{origin}: {what} {duration!r} is no duration: write it as '5s', '10m' or '1.5h'"
        )
    return value
