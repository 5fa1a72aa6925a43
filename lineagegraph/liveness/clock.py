"""The database's clock, for what is dated in another process."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.store.triggers import cells


def database_clock(graph: Graph) -> Callable[[], datetime]:
    """Return a clock that says what the database's says, however wrong this machine's is."""
    ahead = graph.read(cells.get_time) - datetime.now(UTC)
    # A monotonic clock would stand still while the machine sleeps.
    return lambda: datetime.now(UTC) + ahead


class DatabaseClock:
    """Says what the database's clock says, or a little less: never more.

    A poke is dated by it: dated too late, it would settle waits that began after it.
    """

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC) + self._ahead

    def read(self, graph: Graph) -> None:
        """Look at the database's clock."""
        there = graph.read(cells.get_time)
        # Taken after the answer: the way that it took counts as the past.
        self._ahead = there - datetime.now(UTC)
