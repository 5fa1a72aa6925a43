"""A pipeline's run in this process, with the Spark session that a notebook has."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread, main_thread
from typing import Any

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.code.by_value.pack import functions_of
from lineagegraph.errors import RunError
from lineagegraph.execution import Cancellation
from lineagegraph.execution.logs import capture_task_output
from lineagegraph.execution.python_work import Load
from lineagegraph.execution.sessions import OpenSessions
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.settings import Settings
from lineagegraph.spark.adopted_session import AdoptedSession
from lineagegraph.store.runs.launches import Claim
from lineagegraph.worker.claimed_run import ClaimedRun
from lineagegraph.worker.held_run import run_claimed

_POLL_SECONDS = 0.5
_turn = Lock()


def take_turn() -> None:
    """Begin to use the session of this process for a run; only one does at a time."""
    if not _turn.acquire(blocking=False):
        raise RunError(
            "a run goes on in this process's Spark session: wait for it or stop it; "
            "without spark= a run has a session of its own"
        )


def end_turn() -> None:
    """Let others use the session."""
    _turn.release()


class KernelEnvironment:
    """The process of a notebook: its functions and its session are there, its output is its own."""

    capture_output = staticmethod(capture_task_output)

    def __init__(self, spark: Any, functions: dict[str, Callable[..., Any]]) -> None:
        self._spark = spark
        self._functions = functions

    def enter(self, root: Path) -> None:
        """Leave the process where it is."""

    def functions(self, code: Path, stored: TaskCode | None) -> Load:
        """Return what finds the functions of tasks: those that the cells have made."""

        def load(task: PythonTask, path: str) -> Callable[..., Any]:
            return self._functions[path]

        return load

    def sessions(self, code: Path, java_home: Path | None) -> OpenSessions:
        """Return what gives the session that is there, whatever the pipeline would have."""
        return lambda conf, emit: AdoptedSession(self._spark, emit)


class KernelExecutor:
    """Carries a run that this process has claimed, in threads of it; call `take_turn` before."""

    is_local = True

    def __init__(
        self, graph: Graph, settings: Settings, claim: Claim, pipeline: PipelineHandle, spark: Any
    ) -> None:
        self._cancellation = Cancellation()
        run = ClaimedRun(graph, settings, claim.id, claim.fence)
        environment = KernelEnvironment(spark, functions_of(pipeline))

        def carry() -> None:
            try:
                run_claimed(run, environment, self._cancellation)
            finally:
                end_turn()

        self._thread = Thread(target=carry, name="run", daemon=True)
        self._thread.start()
        Thread(target=self._end_with_process, name="run_end", daemon=True).start()

    def stop(self) -> None:
        """Ask for the end."""
        self._cancellation.request()

    @property
    def is_gone(self) -> bool:
        """Whether nothing of it runs any more."""
        return not self._thread.is_alive()

    def _end_with_process(self) -> None:
        """Stop with the process: its pools take no work any more once the main thread is over."""
        while not self.is_gone:
            if not main_thread().is_alive():
                self.stop()
            self._thread.join(_POLL_SECONDS)
