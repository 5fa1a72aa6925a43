"""The states of a run, and how they follow from the reported events."""

from collections.abc import Mapping
from enum import StrEnum


class RunState(StrEnum):
    """The state of a run; the first three are not final."""

    PENDING = "PENDING"
    WAITING = "WAITING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    KILLED = "KILLED"
    FRESH_SKIP = "FRESH_SKIP"
    SKIPPED = "SKIPPED"
    SUPERSEDED = "SUPERSEDED"


FINAL = frozenset(RunState) - {RunState.PENDING, RunState.WAITING, RunState.RUNNING}
SUCCEEDED = frozenset({RunState.COMPLETED, RunState.FRESH_SKIP})
FIRING = (RunState.COMPLETED, RunState.FAILED, RunState.KILLED)


class EventType(StrEnum):
    """OpenLineage's `eventType` of a RunEvent."""

    START = "START"
    RUNNING = "RUNNING"
    COMPLETE = "COMPLETE"
    ABORT = "ABORT"
    FAIL = "FAIL"
    OTHER = "OTHER"


FINAL_EVENTS = frozenset({EventType.COMPLETE, EventType.ABORT, EventType.FAIL})


class JobKind(StrEnum):
    """The kind of a job; `EXTERNAL` jobs run elsewhere and report nothing more about themselves."""

    PIPELINE = "pipeline"
    GROUP = "group"
    TASK = "task"
    APPLICATION = "application"
    ACTION = "action"
    SENSOR = "sensor"
    EXTERNAL = "external"


def settle_state(latest: Mapping[EventType, str]) -> RunState:
    """Return the state that follows from the latest event time (ISO 8601, UTC) of each type.

    A final state beats a running one. Among final ones the latest wins, but a COMPLETE undoes a
    FAIL or ABORT only if the run started again after it. At equal times FAIL beats ABORT beats
    COMPLETE, so that the answer never depends on the order of arrival. OTHER has no effect.
    """
    complete = latest.get(EventType.COMPLETE, "")
    fail, abort = latest.get(EventType.FAIL, ""), latest.get(EventType.ABORT, "")
    ended_badly = max(fail, abort)
    if ended_badly:
        restarted = latest.get(EventType.START, "") > ended_badly
        if complete > ended_badly and restarted:
            return RunState.COMPLETED
        return RunState.FAILED if fail >= abort else RunState.KILLED
    if complete:
        return RunState.COMPLETED
    is_running = EventType.START in latest or EventType.RUNNING in latest
    return RunState.RUNNING if is_running else RunState.PENDING
