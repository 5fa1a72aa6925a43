"""Executors of a run that was started here: a daemon, a worker process, or this process."""

from contextlib import suppress
from subprocess import TimeoutExpired
from threading import Thread
from typing import Protocol

from lineagegraph.errors import GraphClosed
from lineagegraph.graph import Graph
from lineagegraph.liveness.daemons import has_daemon
from lineagegraph.settings import Settings
from lineagegraph.worker.launcher import Launcher
from lineagegraph.worker.run_claim import process_owner


class RunExecutor(Protocol):
    """Executes a run; `is_local` is true if this process itself does."""

    is_local: bool

    def stop(self) -> None:
        """Ask for the run's end, even if the graph cannot be reached."""

    @property
    def is_gone(self) -> bool:
        """Whether the executor here has ended."""


class DaemonExecutor:
    """A daemon somewhere, which receives everything through the graph."""

    is_local = False
    is_gone = False

    def stop(self) -> None:
        """Do nothing: only the graph reaches it."""


class WorkerExecutor:
    """A process of the run's own, which outlives this one."""

    is_local = False

    def __init__(self, graph: Graph, settings: Settings, run_id: str) -> None:
        self._launcher = Launcher(graph.outlasting(), settings, process_owner())
        self._worker = self._launcher.launch(run_id)
        if self._worker:
            Thread(target=self._collect, name="worker", daemon=True).start()

    def stop(self) -> None:
        """Send it a signal."""
        if self._worker:
            self._worker.process.terminate()

    @property
    def is_gone(self) -> bool:
        """Whether it has ended and its run is reaped."""
        return self._worker is not None and not self._launcher.workers

    def _collect(self) -> None:
        assert self._worker
        # The worker goes on though this process has closed its connection.
        with suppress(GraphClosed):
            while not self._launcher.collect_ended():
                with suppress(TimeoutExpired):
                    self._worker.process.wait(5)
                self._launcher.keep_starting()


def execute_run(graph: Graph, settings: Settings, run_id: str) -> RunExecutor:
    """Leave a queued run to a live daemon, or start a worker process if there is none."""
    return DaemonExecutor() if has_daemon(graph) else WorkerExecutor(graph, settings, run_id)
