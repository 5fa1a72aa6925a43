"""The Spark session of a process, and whose work it does."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock, local
from typing import Any

import structlog
from pyspark.sql import SparkSession

from lineagegraph.errors import RunKilled
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.action import Completeness
from lineagegraph.spark.applications import Applications, tag_of
from lineagegraph.spark.capture import Capture, Emit, logging_faults
from lineagegraph.spark.connect.tasks import ConnectTasks
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.cost import read_cost
from lineagegraph.spark.facets import Facet
from lineagegraph.spark.gateway import (
    call_jvm,
    forget_dead_gateway,
    is_alive,
    is_interrupt,
    make_active,
    note_dead_jvm,
)
from lineagegraph.spark.inspection import Inspector
from lineagegraph.spark.listener import Hearer, listener_of
from lineagegraph.spark.progress import Stage, StageProgress, read_progress, read_stages
from lineagegraph.spark.run_events import ApplicationRun, Engine, application_event, error_of
from lineagegraph.spark.session_conf import application_name, prepare_environment, session_conf
from lineagegraph.spark.tables.hidden import HIDDEN
from lineagegraph.spark.tables.known import let_know
from lineagegraph.spark.thread_tags import passing_nothing_on, passing_on
from lineagegraph.spark.trimming import CONF, trimmers

BARRIER_MILLIS = 20_000

log = structlog.get_logger()


class SparkSessions:
    """One session for all tasks of a process; it starts when it's first asked for.

    `emit` gets OpenLineage run events, from any thread; its errors are logged. Jobs of a task
    outside of a hierarchy are named in `namespace`.
    """

    def __init__(
        self,
        conf: Mapping[str, str],
        emit: Emit,
        java_home: Path | None = None,
        namespace: str = "default",
    ) -> None:
        self._given = dict(conf)
        self._conf = session_conf(conf)
        self._java_home = java_home
        self._namespace = namespace
        self._emit = logging_faults(emit)
        self._lock = RLock()
        self._thread = local()
        self._session: SparkSession | None = None
        self._engine = Engine("", "", "")
        self._applications = Applications(self._make_application)
        self._capture: Capture | None = None
        self._hearer: Hearer | None = None
        self._cancelled: set[str] = set()
        self._more: Callable[[], Mapping[str, str]] = dict
        kinds = trimmers(self._conf.get(CONF, ""))
        self._connect = ConnectTasks(application_name(self._conf), kinds, self._emit)
        self._cost: dict[str, Any] | None = None

    @property
    def conf(self) -> dict[str, str]:
        """The configuration of the session."""
        return dict(self._conf)

    def session(self) -> SparkSession:
        """Return the session; the calling thread's jobs are those of its task."""
        with self._lock:
            if self._session is None or not is_alive(self._session):
                with passing_nothing_on():
                    self._session = self._start()
            session = self._session
        for context in self._contexts:
            session.sparkContext.addJobTag(tag_of(context.run_id))
        make_active(session)
        return session

    @contextmanager
    def task(self, context: TaskContext) -> Iterator[None]:
        """Attribute the Spark work of this thread to a task, and end its application run.

        An exception ends it as FAIL, a cancellation as ABORT; the exception goes on.
        """
        with (
            self.whole(context),
            self._connect.task(context, self._outcome),
            passing_on(lambda: self._working(context)),
            self._working(context),
        ):
            yield

    @contextmanager
    def whole(self, context: TaskContext) -> Iterator[None]:
        """Attribute the work of no other task to one, as `task` does; any thread may end it."""
        self._applications.open(context)
        # A retry has the run id of the attempt that was cancelled.
        self._cancelled.discard(tag_of(context.run_id))
        try:
            yield
        except BaseException as error:
            note_dead_jvm(error)
            self._leave(context, self._outcome(context, error), error_of(error))
            raise
        else:
            self._leave(context, EventType.COMPLETE, None)

    @contextmanager
    def _working(self, context: TaskContext) -> Iterator[None]:
        """Tag the jobs of this thread with a task."""
        self._contexts.append(context)
        try:
            self._tag(context)
            yield
        finally:
            self._contexts.remove(context)
            self._untag(context)

    def cancel(self, run_id: str) -> None:
        """Cancel the jobs of a task, those that it has not started yet too."""
        self._cancelled.add(tag_of(run_id))
        self._connect.cancel(run_id)
        if context := self._live_context():
            call_jvm(lambda: context.cancelJobsWithTag(tag_of(run_id)))

    def progress(self, run_id: str) -> StageProgress:
        """Return how far the jobs of a task are."""
        context = self._live_context()
        return read_progress(context, tag_of(run_id)) if context else StageProgress()

    def stages(self) -> dict[str, list[Stage]]:
        """Return the stages of the newest jobs of each task that goes on, by its run."""
        context = self._live_context()
        ids = self._applications.open_runs() if context else []
        return {id_: found for id_ in ids if (found := read_stages(context, tag_of(id_)))}

    def stop(self) -> None:
        """End open actions and stop the session."""
        self._wait_for_events()
        now = datetime.now(UTC)
        if self._capture:
            self._capture.abandon(None, EventType.ABORT, now)
        for application in self._applications.close_all():
            event_type = EventType.ABORT if application.context else EventType.COMPLETE
            score = self._completeness(application)
            self._emit([application_event(event_type, now, application, completeness=score)])
        with self._lock:
            session, self._session = self._session, None
        if session and is_alive(session):
            self._release(session)

    def _release(self, session: SparkSession) -> None:
        self._note_cost(session)
        session.stop()

    def _note_cost(self, session: SparkSession) -> None:
        try:
            self._cost = read_cost(session.sparkContext)
        except Exception as error:
            log.warning("spark cost not read", error=str(error))

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None:
        """Ask for more of the configuration when the session starts."""
        self._more = more

    def cost(self) -> dict[str, Any] | None:
        """Return the cost of the stopped session, if there was one."""
        return self._cost

    @property
    def _contexts(self) -> list[TaskContext]:
        if not hasattr(self._thread, "contexts"):
            self._thread.contexts = []
        found: list[TaskContext] = self._thread.contexts
        return found

    def _start(self) -> SparkSession:
        session = self._open()
        let_know(session)
        context = session.sparkContext
        self._engine = Engine(context.version, context.applicationId, context.master or "")
        self._capture = Capture(self._applications, Inspector(context), self._emit)
        self._hearer = Hearer(self._capture, self._cancel_late_jobs, self._concerns)
        listener_of(context).hearers += (self._hearer,)
        return session

    def _open(self) -> SparkSession:
        forget_dead_gateway()
        self._conf = session_conf({**self._given, **self._more()})
        prepare_environment(self._java_home, self._conf["spark.master"])
        builder = SparkSession.builder
        for name, value in self._conf.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()

    def _concerns(self, tags: frozenset[str]) -> bool:
        """Return whether work with these job tags is captured here."""
        return HIDDEN not in tags

    def _make_application(self, context: TaskContext | None) -> ApplicationRun:
        namespace = context.namespace if context else self._namespace
        return ApplicationRun(
            new_id(), namespace, application_name(self._conf), self._engine, context
        )

    def _live_context(self) -> Any:
        session = self._session
        return session.sparkContext if session and is_alive(session) else None

    def _tag(self, context: TaskContext) -> None:
        if live := self._live_context():
            live.addJobTag(tag_of(context.run_id))

    def _leave(self, context: TaskContext, event_type: EventType, error: Facet | None) -> None:
        self._wait_for_events()
        application = self._applications.close(context.run_id)
        if application is None:
            return
        now = datetime.now(UTC)
        if self._capture and event_type is not EventType.COMPLETE:
            self._capture.abandon(application, event_type, now)
        score = self._completeness(application)
        self._emit([application_event(event_type, now, application, error, score)])

    def _completeness(self, application: ApplicationRun) -> Completeness | None:
        return self._capture.completeness(application) if self._capture else None

    def _untag(self, context: TaskContext) -> None:
        try:
            if live := self._live_context():
                call_jvm(lambda: live.removeJobTag(tag_of(context.run_id)))
        except Exception as error:
            log.warning("spark job tag not removed", error=str(error))

    def _wait_for_events(self) -> None:
        """Wait until the listener has seen all; a dead JVM or a slow listener ends no task."""
        try:
            if live := self._live_context():
                call_jvm(lambda: live._jsc.sc().listenerBus().waitUntilEmpty(BARRIER_MILLIS))
        except Exception as error:
            log.warning("spark events may be missing", error=str(error))

    def _outcome(self, context: TaskContext, error: BaseException) -> EventType:
        killed = isinstance(error, RunKilled) or is_interrupt(error)
        if killed or is_spark_cancel(str(error)) or tag_of(context.run_id) in self._cancelled:
            return EventType.ABORT
        return EventType.FAIL

    def _cancel_late_jobs(self, tags: frozenset[str]) -> None:
        for tag in tags & self._cancelled:
            if context := self._live_context():
                context.cancelJobsWithTag(tag)
