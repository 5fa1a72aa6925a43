"""What a run's new facts are worth telling to those who follow the states of runs."""

from typing import Any

from lineagegraph.ingest.joined import Reporter
from lineagegraph.ingest.run_rows import ended_at, started_at
from lineagegraph.model.facts import SILENT, RunFacts
from lineagegraph.model.states import FINAL, EventType, RunState

_SIGNS = {EventType.START, EventType.RUNNING}
_BEFORE_RUNNING = (RunState.PENDING, RunState.WAITING)


def change_rows(run: Reporter) -> list[dict[str, Any]]:
    """Return the changes of state that a run's new facts bring, in their order.

    A start and an end that are told together are two changes. A run that was only heard of, as
    somebody's parent, has no state that anybody told of.
    """
    state, before = run.state, run.state_before
    if run.is_stub or (state == before and run.before.times):
        return []
    rows = [_row(run.after, state)]
    if before in FINAL and state not in FINAL:
        # Given up as silent, and heard of again.
        rows[0]["at"] = run.after.heard_last
    if state in FINAL and before in _BEFORE_RUNNING and _SIGNS & run.after.times.keys():
        rows.insert(0, _row(run.after, RunState.RUNNING))
    return [row | {"position": position} for position, row in enumerate(rows)]


def _row(facts: RunFacts, state: RunState) -> dict[str, Any]:
    at = ended_at(facts, state) if state in FINAL else started_at(facts)
    return {"state": state.value, "at": at or facts.heard_at, "reason": _reason(facts, at)}


def _reason(facts: RunFacts, ended_at: str | None) -> str | None:
    """Return why a run ended so, as far as it was said with that end."""
    if facts.silent_end:
        return SILENT
    said = facts.said.get("reason")
    return said.value if said and said.at == ended_at else None
