"""Run a pipeline in this process, with the Spark session of a notebook."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock, Thread, main_thread
from typing import Any

from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.code.by_value.pack import functions_of
from lineagegraph.errors import RunError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.logs import capture_task_output
from lineagegraph.execution.sessions import OpenSessions
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.settings import Settings
from lineagegraph.spark.session_kinds import adopted
from lineagegraph.store.runs.launches import Claim
from lineagegraph.worker.held_run import run_claimed
from lineagegraph.worker.run_claim import RunClaim

_POLL_SECONDS = 0.5
_turn = Lock()


def take_turn() -> None:
    """Reserve the session of this process for a run; only one at a time can."""
    if not _turn.acquire(blocking=False):
        raise RunError(
            "another run uses this process's Spark session: wait for it or stop it; "
            "without spark= a run starts its own session"
        )


def end_turn() -> None:
    """Release the session."""
    _turn.release()


class KernelEnvironment:
    """A notebook's process: it has the functions and the session, and its output stays its own."""

    capture_output = staticmethod(capture_task_output)
    may_park = False  # no other process has the session and the memory of the cells

    def __init__(self, spark: Any, functions: dict[str, Callable[..., Any]]) -> None:
        self._spark = spark
        self._functions = functions

    def enter(self, root: Path) -> None:
        """Do nothing: the notebook's working directory stays."""

    def functions(self, code: Path, stored: TaskCode | None) -> Load:
        """Return a loader of the functions that the cells have defined."""

        def load(task: PythonTask, path: str) -> Callable[..., Any]:
            return self._functions[path]

        return load

    def processes(self, stored: TaskCode | None) -> None:
        """Return none: functions of a notebook share the memory of its kernel."""

    def sessions(self, code: Path, java_home: Path | None) -> OpenSessions:
        """Return a factory that gives the existing session, whatever the pipeline's settings."""
        return lambda conf, emit: adopted(self._spark, emit)


class KernelExecutor:
    """Executes a run that this process has claimed, in its threads; call `take_turn` before."""

    is_local = True

    def __init__(
        self, graph: Graph, settings: Settings, claim: Claim, pipeline: PipelineHandle, spark: Any
    ) -> None:
        self._cancellation = Cancellation()
        run = RunClaim(graph, settings, claim.id, claim.fence)
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
        """Request its end."""
        self._cancellation.request()

    @property
    def is_gone(self) -> bool:
        """Whether its thread has ended."""
        return not self._thread.is_alive()

    def _end_with_process(self) -> None:
        """Stop with the process: its pools take no work any more once the main thread is over."""
        while not self.is_gone:
            if not main_thread().is_alive():
                self.stop()
            self._thread.join(_POLL_SECONDS)
