"""The state of a sensor that a process pokes."""

from dataclasses import dataclass
from datetime import datetime

from lineagegraph.model.waits import poke_interval_after
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
    backoff: float = 1.0  # factor of the interval after each poke that is not true
    longest: float = 3600.0  # most seconds that the interval grows to
    off_since: datetime | None = None  # from then on the interval grows; None: it does not grow
    is_true: bool | None = None  # last answer; None before the first
    errors: int = 0  # failed pokes since the last answer
    breaks: int = 0  # pokes in a row that exceeded a limit
    poked_at: datetime | None = None  # start of the last poke; None before the first
    is_busy: bool = False  # whether it is poked, or its answer is not settled yet
    # whether it had its first rest in this process, which has a random length
    is_spread: bool = False
    is_apart: bool = False  # whether each wait pokes it itself
    cursor: str | None = None  # JSON text of its cursor; None before the first
    cursor_number: int = 0  # how often the cursor was set

    def interval_at(self, now: datetime) -> float:
        """Return the interval that has grown since the sensor's last answer or newest wait."""
        off_since = None if self.is_true else self.off_since
        return poke_interval_after(
            (now - off_since).total_seconds() if off_since else 0.0,
            interval=self.interval,
            backoff=self.backoff,
            longest=self.longest,
        )

    def move_cursor(self, cursor: str | None, number: int) -> None:
        """Take a cursor over, unless a later one is known."""
        if number > self.cursor_number:
            self.cursor, self.cursor_number = cursor, number

    def restart_interval(self, at: datetime | None) -> None:
        """Let the interval grow again from a time, if that is later than the known one."""
        if at and (self.off_since is None or at > self.off_since):
            self.off_since = at
