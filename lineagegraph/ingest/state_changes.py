"""State changes from new facts of runs, for the stream of run states."""

from typing import Any

from lineagegraph.ingest.joined import JoinedFacts
from lineagegraph.ingest.run_rows import ended_at, started_at
from lineagegraph.model.runs.facts import SILENT, RunFacts
from lineagegraph.model.runs.hand_mark import BY_HAND, MARKED
from lineagegraph.model.runs.states import FINAL, RunState

WAITING = RunState.WAITING
_BEFORE_RUNNING = (RunState.PENDING, WAITING)


def change_rows(run: JoinedFacts) -> list[dict[str, Any]]:
    """Return the changes of state from a run's new facts, in their order.

    A start and an end in one batch are two changes, and so is a wait before them. A run that is
    only named as a parent has no reported state.
    """
    state, before = run.state, run.state_before
    if run.is_stub or (state == before and run.before.times):
        return []
    rows = [_row(run.after, state)]
    if before in FINAL and state not in FINAL:
        # Given up as silent, and heard of again.
        rows[0]["at"] = run.after.heard_last
    if run.before.hand_mark and not run.after.said[BY_HAND].value:
        rows[0]["at"] = run.after.said[BY_HAND].at
    if state in FINAL and before in _BEFORE_RUNNING and run.after.ran_last > run.before.ran_last:
        rows.insert(0, _row(run.after, RunState.RUNNING))
    if before is RunState.PENDING and rows[0]["state"] != WAITING and WAITING in run.after.said:
        rows.insert(0, _row(run.after, WAITING))
    return [row | {"position": position} for position, row in enumerate(rows)]


def _row(facts: RunFacts, state: RunState) -> dict[str, Any]:
    if facts.hand_mark and state is facts.hand_mark.state:
        by_hand = facts.hand_mark
        return _change(state, by_hand.at.isoformat(), MARKED, by_hand.text)
    mark = facts.said.get(state)
    at = ended_at(facts, state) if state in FINAL else _begun_at(facts)
    if mark:
        reason, message = mark.value
        return _change(state, mark.at, reason, message)
    reason = SILENT if facts.silent_end else _said_at(facts, "reason", at)
    return _change(state, at or facts.heard_at, reason, _message(facts, at))


def changed_at(facts: RunFacts, state: RunState) -> str:
    """Return when a run came to its state; one that is no longer marked was in it before."""
    return str(_row(facts, state)["at"])


def _begun_at(facts: RunFacts) -> str | None:
    """Return since when a run goes on: its start, or the end of a wait after that."""
    began, wait = started_at(facts), facts.said.get(WAITING)
    return facts.ran_last if began and wait and wait.at > began else began


def _change(
    state: RunState, at: str | None, reason: str | None, message: str | None
) -> dict[str, Any]:
    return {"state": state.value, "at": at, "reason": reason, "message": message}


def _said_at(facts: RunFacts, name: str, at: str | None) -> str | None:
    """Return the reason and message of the change itself, not of one before or after."""
    said = facts.said.get(name)
    return said.value if said and said.at == at else None


def _message(facts: RunFacts, at: str | None) -> str | None:
    message = _said_at(facts, "message", at) or _said_at(facts, "error", at)
    return message.strip().partition("\n")[0] if message else None
