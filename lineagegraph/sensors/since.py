"""From when on what happened counts."""

from collections.abc import Mapping
from typing import Literal

from lineagegraph.errors import InvalidSensor

Since = Literal["begin", "any"]


def since_when(said: Since | None, partition: Mapping[str, str] | None) -> Since:
    """Return what is meant where nothing is said: a partition is there once and for all."""
    if partition is not None and not partition:
        raise InvalidSensor("partition is empty: leave it out where any is meant")
    return said or ("any" if partition else "begin")
