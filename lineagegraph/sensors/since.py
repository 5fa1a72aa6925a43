"""The time from which an event satisfies a wait."""

from collections.abc import Mapping
from typing import Literal

from lineagegraph.errors import InvalidSensor

Since = Literal["begin", "any"]


def since_when(said: Since | None, partition: Mapping[str, str] | None) -> Since:
    """Return the default: a partition, once written, stays."""
    if partition is not None and not partition:
        raise InvalidSensor("partition is empty: leave it out to accept any")
    return said or ("any" if partition else "begin")
