"""The object that Spark's listener bus calls: nothing has to be installed on a cluster."""

from collections.abc import Callable
from typing import Any, NamedTuple

import structlog
from pyspark.java_gateway import ensure_callback_server_started

from lineagegraph.spark.capture import Capture, ExecutionEnd, ExecutionStart
from lineagegraph.spark.catalog.changes import CATALOG_EVENTS
from lineagegraph.spark.jvm import class_name, java_interface, option, sequence, texts
from lineagegraph.spark.metrics import written_by_tasks
from lineagegraph.spark.rdds.jobs import RddJobs

log = structlog.get_logger()
_NAME = "_lineagegraph_listener"


class Hearer(NamedTuple):
    """Who hears of the work whose job tags concern it, and of the tags of every job."""

    capture: Capture
    job_started: Callable[[frozenset[str]], None]
    concerns: Callable[[frozenset[str]], bool]


class ExecutionListener:
    """A py4j proxy of Spark's listener; nothing that it raises reaches Spark."""

    Java = java_interface("org.apache.spark.scheduler.SparkListenerInterface")

    def __init__(self, context: Any) -> None:
        self._rdd_jobs = RddJobs(context)
        self.hearers: tuple[Hearer, ...] = ()

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Ignore the many events without lineage."""
        if name.startswith("on"):
            return lambda *_: None
        raise AttributeError(name)

    def onJobStart(self, event: Any) -> None:  # noqa: N802
        """Take note of a job's tags."""
        self._guarded(self._take_job, event)

    def onJobEnd(self, event: Any) -> None:  # noqa: N802
        """Take the end of a job outside of SQL."""
        self._guarded(self._take_job_end, event)

    def onStageCompleted(self, event: Any) -> None:  # noqa: N802
        """Take the rows and bytes that a stage wrote."""
        self._guarded(self._take_stage, event)

    def onOtherEvent(self, event: Any) -> None:  # noqa: N802
        """Take the start or the end of a SQL execution."""
        self._guarded(self._take, event)

    def _guarded(self, take: Callable[[Any], None], event: Any) -> None:
        try:
            if self.hearers:
                take(event)
        except Exception:
            log.exception("spark event not captured")

    def _take_job(self, event: Any) -> None:
        properties = event.properties()
        tags = frozenset((properties.getProperty("spark.job.tags") or "").split(","))
        execution = int(properties.getProperty("spark.sql.execution.id") or -1)
        for hearer in self.hearers:
            if hearer.concerns(tags):
                hearer.capture.job_started(tags, event.time())
                hearer.capture.stages_announced(execution, lambda: list(sequence(event.stageIds())))
                if execution < 0:
                    hearer.capture.rdd_job_started(tags, self._rdd_jobs.of(event))
            hearer.job_started(tags)

    def _take_job_end(self, event: Any) -> None:
        for hearer in self.hearers:
            if hearer.capture.has_rdd_jobs:
                result = str(event.jobResult().toString())
                error = None if result == "JobSucceeded" else result
                hearer.capture.rdd_job_ended(event.jobId(), event.time(), error)

    def _take_stage(self, event: Any) -> None:
        counting = [hearer.capture for hearer in self.hearers if hearer.capture.counts_stages]
        if not counting:
            return
        stage = event.stageInfo()
        if stage.failureReason().isEmpty():
            for capture in counting:
                capture.stage_ended(stage.stageId(), lambda: written_by_tasks(stage))

    def _take(self, event: Any) -> None:
        match class_name(event):
            case "SparkListenerSQLExecutionStart":
                started = _started(event)
                for hearer in self.hearers:
                    if hearer.concerns(started.tags):
                        hearer.capture.started(started)
            case "SparkListenerSQLExecutionEnd":
                ended = _ended(event)
                for hearer in self.hearers:
                    hearer.capture.ended(ended)
            case kind if kind in CATALOG_EVENTS:
                for hearer in self.hearers:
                    hearer.capture.table_changed(kind, event)


def listener_of(context: Any) -> ExecutionListener:
    """Return the listener of a context; it stays on Spark's bus, which cannot return its proxy."""
    found: ExecutionListener | None = getattr(context, _NAME, None)
    if found is None:
        found = ExecutionListener(context)
        ensure_callback_server_started(context._gateway)  # type: ignore[no-untyped-call]
        context._jsc.sc().listenerBus().addToQueue(found, "lineagegraph")
        setattr(context, _NAME, found)
    return found


def _started(event: Any) -> ExecutionStart:
    root = option(event.rootExecutionId())
    return ExecutionStart(
        id=event.executionId(),
        root=event.executionId() if root is None else root,
        at=event.time(),
        tags=frozenset(texts(event.jobTags())),
        call_site=event.details().partition("\n")[0],
    )


def _ended(event: Any) -> ExecutionEnd:
    failure = option(event.executionFailure())
    return ExecutionEnd(
        id=event.executionId(),
        at=event.time(),
        name=option(event.executionName()),
        query=event.qe(),
        error=_message(failure),
    )


def _message(failure: Any) -> str | None:
    """Return the message with those of its causes, which often have the reason."""
    found: list[str] = []
    while failure is not None and len(found) < 5:
        found.append(failure.toString())
        failure = failure.getCause()
    return "\n".join(found) or None
