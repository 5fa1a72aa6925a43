"""Whether a daemon lives that will run what is queued."""

from lineagegraph.graph import Graph
from lineagegraph.store.living import lives
from lineagegraph.store.processes import DAEMON


def has_daemon(graph: Graph) -> bool:
    """Say whether one does."""
    return lives(graph, DAEMON)
