"""The properties of a Run node, as they follow from its facts."""

from datetime import datetime
from typing import Any

from lineagegraph.ingest.joined import Reporter
from lineagegraph.model.facts import RunFacts, Use, encode_facts
from lineagegraph.model.states import FINAL, EventType, RunState

_PLAIN = (
    "kind",
    "nominal_start",
    "nominal_end",
    "version",
    "params",
    "emitted",
    "reason",
    "attempt",
    "log",
    "error",
)
_ENDS = {
    RunState.COMPLETED: EventType.COMPLETE,
    RunState.FAILED: EventType.FAIL,
    RunState.KILLED: EventType.ABORT,
}
_COUNTS = ("row_count", "size", "file_count", "version", "partitions")


def run_row(run: Reporter) -> dict[str, Any]:
    """Return the row that `store.runs.set_runs` takes."""
    facts, state = run.after, run.state
    assert facts.heard is not None
    namespace, name = run.name
    properties = {
        "namespace": namespace,
        "name": name,
        "state": state.value,
        "stub": not facts.times,
        "started_at": started_at(facts),
        "ended_at": _ended_at(facts, state),
        "kind_said": kind_said(facts),
        "facts": encode_facts(facts),
        **{part: facts.get(part) for part in _PLAIN},
        **{f"{kind.lower()}_time": to_time(span.last) for kind, span in facts.times.items()},
    }
    return {"id": run.id, "heard_at": to_time(facts.heard.first), "properties": properties}


def use_properties(use: Use) -> dict[str, Any]:
    """Return the properties of a READS or WRITES relationship."""
    seen = {"first_seen": to_time(use.span.first), "last_seen": to_time(use.span.last)}
    return seen | {part: use.get(part) for part in _COUNTS}


def started_at(facts: RunFacts) -> datetime | None:
    """Return when a run started: its first START, or else the first that was heard from it."""
    if EventType.START in facts.times:
        return to_time(facts.times[EventType.START].first)
    firsts = [span.first for span in facts.times.values()]
    return to_time(min(firsts)) if firsts else None


def kind_said(facts: RunFacts) -> str:
    """Return the kind with the time of its report in front: the larger text is the later word."""
    said = facts.said.get("kind")
    return f"{said.at} {said.value}" if said else ""


def to_time(text: str) -> datetime:
    """Return the time that facts spell as text."""
    return datetime.fromisoformat(text)


def _ended_at(facts: RunFacts, state: RunState) -> datetime | None:
    return to_time(facts.times[_ENDS[state]].last) if state in FINAL else None
