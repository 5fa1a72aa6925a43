"""The state of a sensor that a process pokes."""

from dataclasses import dataclass
from datetime import datetime

from lineagegraph.sensors import Sensor


@dataclass(slots=True)
class Watched:
    """A sensor, the shortest interval of those who wait for it, and how it went so far."""

    id: str
    shard: int
    sensor: Sensor
    interval: float
    newest: datetime | None
    is_watched: bool
    is_true: bool | None = None
    errors: int = 0
    breaks: int = 0
    poked_at: datetime | None = None
    is_busy: bool = False
    is_spread: bool = False
    is_apart: bool = False
