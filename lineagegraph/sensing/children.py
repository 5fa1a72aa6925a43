"""Sensor processes as children of a daemon or of `sensor run`."""

import time

from lineagegraph.execution.sensor_child import SensorChild
from lineagegraph.graph import Graph
from lineagegraph.settings import Settings
from lineagegraph.store.sensors import sensor_views


class SensorChildren:
    """Keeps so many sensor processes; they end with the process that started them."""

    def __init__(self, settings: Settings, number: int | None = None) -> None:
        wanted = settings.sensor_processes if number is None else number
        self._children = [SensorChild(settings, str(number)) for number in range(wanted)]

    def keep(self) -> None:
        """Start missing processes, and kill those that stand still."""
        for child in self._children:
            child.keep()

    def stop(self, grace: float) -> None:
        """Ask all to leave, and kill those that take longer than `grace`."""
        for child in self._children:
            child.ask_to_leave()
        until = time.monotonic() + grace
        for child in self._children:
            child.stop(until)


_GRACE_SECONDS = 5.0


class SensorKeeper:
    """Keeps sensor processes from the first sensor on: who waits for none has none."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._children = SensorChildren(settings)
        self._is_needed = False

    def keep(self) -> None:
        """Start missing processes."""
        if not self._is_needed:
            self._is_needed = self._graph.read(sensor_views.get_any) is not None
        if self._is_needed:
            self._children.keep()

    def stop(self) -> None:
        """Ask them to leave."""
        self._children.stop(_GRACE_SECONDS)
