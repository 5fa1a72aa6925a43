"""From Spark's SQL executions to run events of the actions that they are."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

import structlog

from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.action import (
    UNKNOWN,
    Action,
    Completeness,
    Description,
    Measured,
    Statistics,
)
from lineagegraph.spark.action_names import name_action
from lineagegraph.spark.applications import Applications
from lineagegraph.spark.columns.transformations import Sources
from lineagegraph.spark.rdds.jobs import RddJob
from lineagegraph.spark.run_events import (
    ActionRun,
    ApplicationRun,
    Event,
    action_event,
    application_event,
    error_of_jvm,
    from_millis,
)
from lineagegraph.spark.tables.unpublished import UNPUBLISHED

Emit = Callable[[Sequence[Event]], None]
log = structlog.get_logger()

# A stream that is stopped interrupts the thread of its batch.
_INTERRUPTED = (
    "java.lang.InterruptedException",
    "java.io.InterruptedIOException",
    "java.nio.channels.ClosedByInterruptException",
)


@dataclass(frozen=True)
class ExecutionStart:
    """The start of a SQL execution; `root` is the one that it runs in, or its own id."""

    id: int
    root: int
    at: int
    tags: frozenset[str]
    call_site: str


@dataclass(frozen=True)
class ExecutionEnd:
    """The end of a SQL execution; `query` is Spark's query execution."""

    id: int
    at: int
    name: str | None
    query: Any
    error: str | None


class Inspects(Protocol):
    """Reads Spark's query executions."""

    def find(self, execution: int) -> Any:
        """Return the query execution that runs under an id, or None."""

    def describe(
        self, execution: Any, known: dict[int, Sources], changes_before: int | None
    ) -> Description | None:
        """Describe an analyzed plan; None if only its end tells what it did."""

    @property
    def changes(self) -> int:
        """How many changes of tables Spark's catalog has told."""

    def table_changed(self, kind: str, event: Any) -> None:
        """Take note of an event of Spark's catalog."""

    def describe_job(self, job: RddJob) -> Description:
        """Describe a job outside of SQL."""

    def measure(self, execution: Any, description: Description, started: int) -> Measured:
        """Read the metrics of an execution."""


@dataclass
class _Execution:
    """An execution from its start to its end; `run` is set once its START was reported."""

    started: ExecutionStart  # Spark's event
    root: "_Execution | None"  # the one that it runs in
    application: ApplicationRun  # whose work it is
    changes_before: int  # how many changes of tables there were when it started
    action: Action | None = None  # what it does, once that is known
    run: ActionRun | None = None  # set once its START was reported
    inner: list[Action] = field(default_factory=list)  # what runs in it
    written: Statistics | None = None  # by the tasks of its stages

    @property
    def counts_by_stage(self) -> bool:
        target = self.action.description.target if self.action else None
        return target is not None and target.counts_by_stage

    @property
    def is_wrapper(self) -> bool:
        return self.action is not None and self.action.description.is_micro_batch

    @property
    def is_inner(self) -> bool:
        """Return whether this is a part of an enclosing action."""
        return bool(self.root and self.root.encloses)

    @property
    def encloses(self) -> bool:
        """Return whether executions in this one are parts of it."""
        return bool(self.action and self.action.description.encloses)

    @property
    def known(self) -> dict[int, Sources]:
        if not self.root or not self.root.action:
            return {}
        return self.root.action.description.resolved.by_id

    def in_its_batch(self, description: Description) -> Description:
        """Return the description with the inputs of the micro-batch around it."""
        if not self.root or not self.root.action or not self.root.is_wrapper:
            return description
        read = self.root.action.description.relations
        return replace(description, relations={**read, **description.relations})


@dataclass
class _JobOfRdd:
    """A job outside of SQL from its start to its end."""

    job: RddJob
    run: ActionRun
    action: Action
    written: Statistics | None = None  # by the tasks of its stages

    @property
    def measured(self) -> Measured:
        if self.written is None or self.job.counts_rows:
            return Measured(written=self.written)
        return Measured(written=replace(self.written, rows=None))


def _unnamed(started: ExecutionStart) -> str:
    return "toLocalIterator" if "Iterator(" in started.call_site else "command"


def _end_of(error: str | None) -> EventType:
    if error is None:
        return EventType.COMPLETE
    is_cancelled = is_spark_cancel(error) or error.startswith(_INTERRUPTED)
    return EventType.ABORT if is_cancelled else EventType.FAIL


def _has_parts(action: Action) -> bool:
    return bool(action.inputs or action.description.opaque)


class Capture:
    """Follows executions; called by one thread, Spark's listener queue."""

    def __init__(self, applications: Applications, inspector: Inspects, emit: Emit) -> None:
        self._applications = applications
        self._inspector = inspector
        self._emit = emit
        self._running: dict[int, _Execution] = {}
        self._counted: dict[int, _Execution | _JobOfRdd] = {}  # by stage
        self._rdd_jobs: dict[int, _JobOfRdd] = {}
        self._rdd_names: set[tuple[str, str]] = set()
        self._scores: dict[str, Completeness] = {}

    def job_started(self, tags: frozenset[str], at: int) -> ApplicationRun:
        """Take note that Spark works for a task, whatever it does."""
        application, is_new = self._applications.attribute(tags)
        if is_new:
            self._emit([application_event(EventType.START, from_millis(at), application)])
        return application

    @property
    def has_rdd_jobs(self) -> bool:
        """Return whether jobs outside of SQL run."""
        return bool(self._rdd_jobs)

    def rdd_job_started(self, tags: frozenset[str], job: RddJob) -> None:
        """Report the START of a job outside of SQL; of those that read only the first of a name."""
        if not job.is_action:
            return
        application, _ = self._applications.attribute(tags)
        action = Action(self._inspector.describe_job(job))
        name = name_action(action, job.verb)
        key = (application.run_id, name)
        is_write = action.description.target is not None
        if not is_write and (not _has_parts(action) or key in self._rdd_names):
            return
        self._rdd_names.add(key)
        # Executions have ids of their own, from 0 on.
        run = ActionRun(application, -1 - job.id, name)
        self._rdd_jobs[job.id] = found = _JobOfRdd(job, run, action)
        if is_write:
            self._counted |= dict.fromkeys(job.stages, found)
        self._emit([action_event(EventType.START, from_millis(job.at), run)])

    def rdd_job_ended(self, job: int, at: int, error: str | None) -> None:
        """Report the end of a job outside of SQL."""
        found = self._rdd_jobs.pop(job, None)
        if found is None:
            return
        self._forget_stages(found)
        event_type, action = _end_of(error), found.action
        if event_type is EventType.COMPLETE:
            action = replace(action, measured=found.measured)
        self._count(found.run, action)
        fault = error_of_jvm(error) if error else None
        self._emit([action_event(event_type, from_millis(at), found.run, action, fault)])

    def completeness(self, application: ApplicationRun) -> Completeness:
        """Return how much of what an application did was understood, and forget it."""
        self._rdd_names = {key for key in self._rdd_names if key[0] != application.run_id}
        return self._scores.pop(application.run_id, Completeness())

    def _count(self, run: ActionRun, action: Action) -> None:
        known = self._scores.get(run.application.run_id, Completeness())
        more = Completeness(action.parts, action.description.opaque)
        self._scores[run.application.run_id] = known + more

    def table_changed(self, kind: str, event: Any) -> None:
        """Take note of an event of Spark's catalog, of any session."""
        self._inspector.table_changed(kind, event)

    def stages_announced(self, execution: int, stages: Callable[[], Sequence[int]]) -> None:
        """Take note of the stages of a job, if they count the rows that an execution writes."""
        running = self._running.get(execution)
        # A source does its work in an execution of its own.
        for each in (running, running.root) if running else ():
            if each and each.counts_by_stage:
                self._counted |= dict.fromkeys(stages(), each)

    @property
    def counts_stages(self) -> bool:
        """Return whether there are stages that count rows."""
        return bool(self._counted)

    def stage_ended(self, stage: int, written: Callable[[], Statistics]) -> None:
        """Add the rows and bytes that a stage wrote."""
        if running := self._counted.pop(stage, None):
            running.written = (running.written or Statistics()) + written()

    def _forget_stages(self, ended: _Execution | _JobOfRdd) -> None:
        """Forget stages that were not needed or failed."""
        if self._counted:
            self._counted = {id_: each for id_, each in self._counted.items() if each is not ended}

    def started(self, started: ExecutionStart) -> None:
        """Report the START of an action as soon as its plan can be seen."""
        if "DataFrameReader." in started.call_site:  # looks at a file to find its schema
            return
        application = self.job_started(started.tags, started.at)
        root = self._around(started) if started.root != started.id else None
        execution = _Execution(started, root, application, self._inspector.changes)
        self._running[started.id] = execution
        self._describe(execution, self._inspector.find(started.id))
        if not execution.is_wrapper:
            self._begin(execution, None)

    def _around(self, started: ExecutionStart) -> _Execution | None:
        """Return the execution that another runs in; of those in a micro-batch, the innermost."""
        root = self._running.get(started.root)
        if root is None or not root.is_wrapper:
            return root
        inner = [
            each
            for each in self._running.values()
            if each.root is root and each.started.tags == started.tags and each.encloses
        ]
        return inner[-1] if inner else root

    def ended(self, ended: ExecutionEnd) -> None:
        """Report the end of an action with its inputs and output."""
        execution = self._running.pop(ended.id, None)
        if execution is None:
            return
        self._forget_stages(execution)
        self._describe(execution, ended.query, ended)
        self._measure(execution, ended.query)
        if execution.is_inner and execution.root and execution.action:
            execution.root.inner.append(execution.action)
        elif not (execution.is_wrapper and execution.inner):
            self._begin(execution, ended.name or _unnamed(execution.started))
            self._end(execution, ended)
        if execution.root and execution.root.is_wrapper and execution.action:
            execution.root.inner.append(execution.action)

    def _describe(
        self, execution: _Execution, query: Any, ended: ExecutionEnd | None = None
    ) -> None:
        # The analysis of a failed one may have failed, too.
        is_last = ended is not None and ended.error is None
        known = execution.action
        if query is None or (known and (known.description.is_final or not is_last)):
            return
        try:
            description = self._inspector.describe(
                query, execution.known, execution.changes_before if ended else None
            )
            if description:
                execution.action = Action(execution.in_its_batch(description))
        except Exception as error:
            level = logging.WARNING if is_last else logging.DEBUG
            log.log(level, "spark plan not understood", id=execution.started.id, error=str(error))
            if is_last and known is None:
                execution.action = Action(UNKNOWN)

    def _measure(self, execution: _Execution, query: Any) -> None:
        if execution.action is None or query is None:
            return
        description = execution.action.description
        try:
            measured = self._inspector.measure(query, description, execution.started.at)
            if measured.written is None:
                measured = replace(measured, written=execution.written)
            execution.action = Action(description, measured)
        except Exception as error:
            log.warning("spark metrics not read", id=execution.started.id, error=str(error))

    def _begin(self, execution: _Execution, name: str | None) -> None:
        """Report START if this is an action; one that Spark names only at its end waits."""
        action = execution.action
        if execution.run or execution.is_inner or action is None:
            return
        if not action.description.target and not (name and _has_parts(action)):
            return
        execution.run = ActionRun(
            execution.application, execution.started.id, name_action(action, name)
        )
        at = from_millis(execution.started.at)
        self._emit([action_event(EventType.START, at, execution.run)])

    def _end(self, execution: _Execution, ended: ExecutionEnd) -> None:
        if execution.run is None or execution.action is None:
            return
        action = execution.action
        for inner in execution.inner:
            action = action.joined(inner)
        self._count(execution.run, action)
        event_type = _end_of(ended.error)
        error = error_of_jvm(ended.error) if ended.error is not None else None
        at = from_millis(max(ended.at, execution.started.at))
        if event_type is EventType.COMPLETE:
            self._complete(execution.run, action, at)
            return
        self._emit([action_event(event_type, at, execution.run, action.unwritten(), error)])

    def _complete(self, run: ActionRun, action: Action, at: datetime) -> None:
        """Report a success, of a table's new version only once readers see that."""

        def report(why: str | None) -> None:
            if why is None:
                self._emit([action_event(EventType.COMPLETE, at, run, action)])
                return
            fault = error_of_jvm(why)
            self._emit([action_event(EventType.FAIL, at, run, action.unwritten(), fault)])

        target = action.description.target
        UNPUBLISHED.when_settled(target.path if target else None, report)

    def abandon(
        self, application: ApplicationRun | None, event_type: EventType, at: datetime
    ) -> None:
        """Report the end of open actions, of one application or of all."""
        for execution in list(self._running.values()):
            if application is None or execution.application is application:
                self._running.pop(execution.started.id, None)
                if execution.run:
                    self._emit([action_event(event_type, at, execution.run)])


def logging_faults(emit: Emit) -> Emit:
    """Return an `emit` whose errors are logged, not raised."""

    def emit_or_log(events: Sequence[Event]) -> None:
        try:
            emit(events)
        except Exception:
            log.exception("spark run events not taken", events=len(events))

    return emit_or_log
