"""A standby sensor process, for runs and waits without a daemon."""

import time
from typing import Self

import structlog

from lineagegraph.execution.sensor_child import SensorChild
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_live_process
from lineagegraph.settings import Settings
from lineagegraph.store.admin.processes import DAEMON, SENSORS

log = structlog.get_logger()
# A process that has just been started is not known to others at once.
_PAUSE = 5.0
_GRACE = 10.0


class StandbySensorProcess:
    """Runs a sensor process if no other runs and no daemon keeps one; ends with its owner.

    Call `keep` repeatedly, as other processes come and go; it checks every five seconds.
    """

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings
        self._child: SensorChild | None = None
        self._not_before = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the standby process runs."""
        return self._child is not None and self._child.is_running

    def keep(self) -> None:
        """Start one if no other process pokes sensors."""
        if self._child and self._child.check():
            return
        if time.monotonic() < self._not_before:
            return
        self._not_before = time.monotonic() + _PAUSE
        if self._is_looked_at():
            return
        try:
            self._child = self._child or SensorChild(self._settings, "standby")
            self._child.keep()
        except OSError as error:
            log.warning("sensor_process_not_started", error=str(error), again_in=_PAUSE)

    def close(self) -> None:
        """End it, if there is one."""
        if self._child:
            self._child.ask_to_leave()
            self._child.stop(time.monotonic() + _GRACE)
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _is_looked_at(self) -> bool:
        kinds = [SENSORS, *([DAEMON] if self._settings.sensor_processes else [])]
        return any(has_live_process(self._graph, kind) for kind in kinds)
