"""The Spark Connect session of a run, which a server elsewhere has."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any
from zipfile import ZipFile

from pyspark.sql import SparkSession

from lineagegraph.errors import RunError
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.capture import Emit, logging_faults
from lineagegraph.spark.connect.tasks import ConnectTasks, outcome_of
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage
from lineagegraph.spark.session_conf import REMOTE, application_name
from lineagegraph.spark.trimming import CONF, trimmers


class ConnectSessions:
    """One session for all tasks of a process; it starts when it is first asked for.

    `adopted` is an existing one, which stays open. `emit` gets run events, from any thread. The
    Python files in the folder `code` go to the server, whose workers import them.
    """

    def __init__(
        self,
        conf: Mapping[str, str],
        emit: Emit,
        *,
        adopted: Any = None,
        code: Path | None = None,
    ) -> None:
        self._conf = dict(conf)
        self._code = code
        self._adopted = adopted
        self._session: Any = adopted
        self._lock = RLock()
        self._more: Callable[[], Mapping[str, str]] = dict
        self._cancelled: set[str] = set()
        kinds = trimmers(self._conf.get(CONF, ""))
        self._tasks = ConnectTasks(application_name(self._conf), kinds, logging_faults(emit))

    @property
    def conf(self) -> dict[str, str]:
        """The configuration of the session."""
        return dict(self._conf)

    def session(self) -> Any:
        """Return the session."""
        with self._lock:
            is_own = self._session is not self._adopted
            if self._session is None or (is_own and self._session.is_stopped):
                self._conf |= self._more()
                self._session = open_remote(self._conf)
                if self._code:
                    _send_code(self._session, self._code)
            return self._session

    def task(self, context: TaskContext) -> AbstractContextManager[None]:
        """Attribute the work of this thread to a task, and end its application run."""
        # A retry has the run id of the attempt that was cancelled.
        self._cancelled.discard(context.run_id)
        return self._tasks.task(context, self._outcome)

    def cancel(self, run_id: str) -> None:
        """Interrupt the operations of a task on the server."""
        self._cancelled.add(run_id)
        self._tasks.cancel(run_id)

    def stages(self) -> dict[str, list[Stage]]:
        """Return none: a server does not tell them."""
        return {}

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None:
        """Ask for more of the configuration when the session starts."""
        self._more = more

    def stop(self) -> None:
        """Stop the session, unless it was there before."""
        with self._lock:
            session, self._session = self._session, self._adopted
        if session is not None and session is not self._adopted:
            session.stop()

    def cost(self) -> None:
        """Return None: the executors are the server's."""

    def _outcome(self, context: TaskContext, error: BaseException) -> EventType:
        is_cancelled = context.run_id in self._cancelled
        return EventType.ABORT if is_cancelled else outcome_of(context, error)


def open_remote(conf: Mapping[str, str]) -> Any:
    """Return the Connect session of a configuration with `spark.remote`."""
    if "spark.master" in conf:
        raise RunError("spark.remote and spark.master cannot both be set: remove one of them")
    builder = SparkSession.builder
    for name, value in conf.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except ImportError as error:
        raise RunError(
            f'{REMOTE} needs more packages: pip install "lineagegraph[connect]" ({error})'
        ) from error


def _send_code(session: Any, code: Path) -> None:
    files = [file for file in code.rglob("*.py") if file.is_file()]
    if not files:
        return
    with TemporaryDirectory() as folder:
        packed = Path(folder) / "lineagegraph_code.zip"
        with ZipFile(packed, "w") as archive:
            for file in files:
                archive.write(file, file.relative_to(code))
        session.addArtifacts(str(packed), pyfile=True)
