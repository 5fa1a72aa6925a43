"""The database's clock, for times set in another process."""

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

    Pokes carry this time: a later one would end waits that began after the poke.
    """

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC) + self._ahead

    def read(self, graph: Graph) -> None:
        """Read the database's clock."""
        there = graph.read(get_time)
        # Taken after the answer: the way that it took counts as the past.
        self._ahead = there - datetime.now(UTC)
