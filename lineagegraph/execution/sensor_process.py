"""A standby sensor process, for runs and waits without a daemon."""

import subprocess
import sys
import time
from typing import Self

from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_live_process
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.settings import Settings
from lineagegraph.store.admin.processes import DAEMON, SENSORS

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
        self._process: subprocess.Popen[bytes] | None = None
        self._not_before = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the standby process runs."""
        return self._process is not None and self._process.poll() is None

    def keep(self) -> None:
        """Start one if no other process pokes sensors."""
        if self.is_running or time.monotonic() < self._not_before:
            return
        if not self._is_looked_at():
            self._process = self._start()
        self._not_before = time.monotonic() + _PAUSE

    def close(self) -> None:
        """End it, if there is one."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _is_looked_at(self) -> bool:
        kinds = [SENSORS, *([DAEMON] if self._settings.sensor_processes else [])]
        return any(has_live_process(self._graph, kind) for kind in kinds)

    def _start(self) -> "subprocess.Popen[bytes]":
        with handing_over(self._settings) as given:
            return subprocess.Popen(
                [sys.executable, "-m", "lineagegraph.sensing", "--child"],
                # Closing it tells the child that its owner is gone.
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=given.environment,
                pass_fds=given.descriptors,
            )
