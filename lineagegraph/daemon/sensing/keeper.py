"""The sensor processes of a daemon."""

from lineagegraph.daemon.sensing.children import SensorChildren
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings
from lineagegraph.store import sensor_views

_GRACE_SECONDS = 5.0


class SensorKeeper:
    """Keeps sensor processes from the first sensor on: who waits for none has none."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._children = SensorChildren(settings)
        self._is_needed = False

    def keep(self) -> None:
        """Start what is lacking."""
        if not self._is_needed:
            self._is_needed = self._graph.read(sensor_views.get_any) is not None
        if self._is_needed:
            self._children.keep()

    def stop(self) -> None:
        """Ask them to leave."""
        self._children.stop(_GRACE_SECONDS)
