"""Marks: the state that a person gives a run that has ended."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from lineagegraph.model.runs.states import FINAL, EventType, RunState

BY_HAND = "by_hand"
MARKED = "MARKED"
MARKS = (RunState.COMPLETED, RunState.FAILED)
_BEGINS = (EventType.START, EventType.RUNNING)


class HandMark(msgspec.Struct, frozen=True):
    """The state that a person gave a run, and the state that it had of its own."""

    state: RunState
    reason: str
    author: str
    before: RunState
    at: datetime

    @property
    def text(self) -> str:
        """The mark in one line."""
        return f"was {self.before}; marked by {self.author}: {self.reason}"


def mark_counts(state: RunState, at: str, own: RunState, latest: Mapping[EventType, str]) -> bool:
    """Return whether a mark decides the state of a run whose own state is `own`.

    It does until the run starts again, for a run that has ended otherwise.
    """
    begun = max((latest.get(kind, "") for kind in _BEGINS), default="")
    return own in FINAL and own not in (RunState.SUPERSEDED, state) and begun <= at
