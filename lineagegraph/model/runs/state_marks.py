"""Run states that an event marks in lineagegraph's own facet, as no event type has them."""

from typing import NamedTuple

from lineagegraph.model.runs.states import FINAL_EVENTS, EventType, RunState

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
