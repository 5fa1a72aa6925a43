"""The state of a sensor that a process pokes."""

from dataclasses import dataclass
from datetime import datetime

from lineagegraph.sensors import Sensor


@dataclass(slots=True)
class Watched:
    """A sensor, the shortest interval of those who wait for it, and how it went so far."""

    id: str  # id of the sensor
    shard: int  # number of its shard
    sensor: Sensor  # the sensor to poke
    interval: float  # seconds between two pokes; 0 if nothing needs it
    newest: datetime | None  # start of the latest open wait; None without one
    is_watched: bool  # whether an enabled trigger watches it
    is_true: bool | None = None  # last answer; None before the first
    errors: int = 0  # failed pokes since the last answer
    breaks: int = 0  # pokes in a row that exceeded a limit
    poked_at: datetime | None = None  # start of the last poke; None before the first
    is_busy: bool = False  # whether it is poked, or its answer is not settled yet
    # whether it had its first rest in this process, which has a random length
    is_spread: bool = False
    is_apart: bool = False  # whether each wait pokes it itself
