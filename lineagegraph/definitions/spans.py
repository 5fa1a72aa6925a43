"""Durations that must make sense as an age or a wait."""

from lineagegraph.definitions.durations import Duration
from lineagegraph.definitions.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.durations import read_seconds
from lineagegraph.model.wait_terms import LONGEST


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
