"""The object that Spark's listener bus calls: nothing has to be installed on a cluster."""

from collections.abc import Callable
from typing import Any

import structlog

from lineagegraph.spark.capture import Capture, Ended, Started
from lineagegraph.spark.jvm import class_name, option, texts
from lineagegraph.spark.tables.hidden import HIDDEN

log = structlog.get_logger()


class ExecutionListener:
    """A py4j proxy of Spark's listener; nothing that it raises reaches Spark."""

    class Java:
        """What py4j needs to know."""

        implements = ("org.apache.spark.scheduler.SparkListenerInterface",)

    def __init__(self, capture: Capture, job_started: Callable[[frozenset[str]], None]) -> None:
        self._capture = capture
        self._job_started = job_started

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Answer the many events that say nothing of lineage."""
        if name.startswith("on"):
            return lambda *_: None
        raise AttributeError(name)

    def onJobStart(self, event: Any) -> None:  # noqa: N802
        """Take note of a job's tags."""
        self._guarded(self._take_job, event)

    def onOtherEvent(self, event: Any) -> None:  # noqa: N802
        """Take the start or the end of a SQL execution."""
        self._guarded(self._take, event)

    def _guarded(self, take: Callable[[Any], None], event: Any) -> None:
        try:
            take(event)
        except Exception:
            log.exception("spark event not captured")

    def _take_job(self, event: Any) -> None:
        tags = frozenset((event.properties().getProperty("spark.job.tags") or "").split(","))
        if HIDDEN not in tags:
            self._capture.job_started(tags, event.time())
        self._job_started(tags)

    def _take(self, event: Any) -> None:
        match class_name(event):
            case "SparkListenerSQLExecutionStart":
                started = _started(event)
                if HIDDEN not in started.tags:
                    self._capture.started(started)
            case "SparkListenerSQLExecutionEnd":
                self._capture.ended(_ended(event))


def _started(event: Any) -> Started:
    root = option(event.rootExecutionId())
    return Started(
        id=event.executionId(),
        root=event.executionId() if root is None else root,
        at=event.time(),
        tags=frozenset(texts(event.jobTags())),
        call_site=event.details().partition("\n")[0],
    )


def _ended(event: Any) -> Ended:
    failure = option(event.executionFailure())
    return Ended(
        id=event.executionId(),
        at=event.time(),
        name=option(event.executionName()),
        query=event.qe(),
        error=_message(failure),
    )


def _message(failure: Any) -> str | None:
    """Return the message with those of its causes, where the reason often is."""
    found: list[str] = []
    while failure is not None and len(found) < 5:
        found.append(failure.toString())
        failure = failure.getCause()
    return "\n".join(found) or None
