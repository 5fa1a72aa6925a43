"""The database's clock, for what is dated in another process."""

from collections.abc import Callable
from datetime import UTC, datetime

from lineagegraph.graph import Graph
from lineagegraph.store import cells


def database_clock(graph: Graph) -> Callable[[], datetime]:
    """Return a clock that says what the database's says, however wrong this machine's is."""
    ahead = graph.read(cells.get_time) - datetime.now(UTC)
    # A monotonic clock would stand still while the machine sleeps.
    return lambda: datetime.now(UTC) + ahead
