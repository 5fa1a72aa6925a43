"""The database's clock, for times set in another process."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.store.admin.clock import get_time


def database_clock(graph: Graph) -> Callable[[], datetime]:
    """Return a clock with the database's time, even if this machine's clock is wrong."""
    ahead = graph.read(get_time) - datetime.now(UTC)
    # A monotonic clock would stand still while the machine sleeps.
    return lambda: datetime.now(UTC) + ahead


class DatabaseClock:
    """Returns the database's time, or slightly less, but never more.

    Pokes carry this time: a later one would end waits that began after the poke. A step of this
    machine's clock does not change it.
    """

    def __init__(self) -> None:
        self._read_at = datetime.now(UTC), time.monotonic()

    def __call__(self) -> datetime:
        """Return the time."""
        there, here = self._read_at
        return there + timedelta(seconds=time.monotonic() - here)

    def read(self, graph: Graph) -> None:
        """Read the database's clock."""
        there = graph.read(get_time)
        # Taken after the answer: the way that it took counts as the past.
        self._read_at = there, time.monotonic()
