"""The states of a run, and how they follow from the reported events."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


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
FAILURES = frozenset({RunState.FAILED, RunState.KILLED})
FIRING = (RunState.COMPLETED, RunState.FAILED, RunState.KILLED)
UPSTREAM_FAILED = "UPSTREAM_FAILED"


def shown_state(state: str, reason: str | None) -> str:
    """Return a state as people see it: a task that did not run has the reason as its state."""
    return UPSTREAM_FAILED if reason == UPSTREAM_FAILED else state


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


def derive_state(latest: Mapping[EventType, str]) -> RunState:
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


_SAID_WITH = {
    RunState.WAITING: frozenset({EventType.OTHER}),
    RunState.FRESH_SKIP: frozenset({EventType.COMPLETE}),
    RunState.SKIPPED: frozenset({EventType.ABORT}),
    RunState.SUPERSEDED: frozenset(EventType),
}


class Marked(NamedTuple):
    """A plain state and the state that replaces it if its event is marked so."""

    state: RunState
    event_type: EventType


MARKED = {
    RunState.COMPLETED: Marked(RunState.FRESH_SKIP, EventType.COMPLETE),
    RunState.KILLED: Marked(RunState.SKIPPED, EventType.ABORT),
}


def marked_state(state: object, event_type: EventType) -> RunState | None:
    """Return the state that an event marks, or None if this event cannot mark it.

    SUPERSEDED goes with every event; one that is no end is stored and changes no state.
    """
    found = next((one for one in _SAID_WITH if one == state), None)
    return found if found and event_type in _SAID_WITH[found] else None


def is_mark(state: RunState, event_type: EventType) -> bool:
    """Return whether a mark can decide a run's state."""
    return state is not RunState.SUPERSEDED or event_type in FINAL_EVENTS
