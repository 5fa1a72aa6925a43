"""Occurrences as rows for the cells in which they count."""

from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.triggers.predicate import Predicate, read_payload
from lineagegraph.model.typed import decode_json
from lineagegraph.store.triggers.occurrences import Due

_LONGEST_VALUE = 200
_ID = {"run": "run_id", "version": "version_key", "event": "event_id"}


class Refused(NamedTuple):
    """Something that happened and does not count for a condition, and why."""

    trigger_id: str
    condition_id: str
    text: str


def refuse_ahead(due: Due) -> Refused:
    """Return the refusal of an occurrence whose time is too far in the future."""
    return _refused(due, "its time is in the future: correct the clock of its producer")


def to_occurrence(due: Due) -> dict[str, Any] | Refused:
    """Return the row that `store.occurrences.link_occurrences` takes, or why there is none."""
    payload = {}
    if due.predicates or due.correlate_by:
        payload = read_payload(due.params, due.emitted, due.reported, due.written)
    for predicate in _predicates(due):
        if not predicate.holds(payload):
            return _refused(due, _unmet(predicate, payload))
    value = _value(due, payload)
    if due.correlate_by and value is None:
        return _refused(due, f"it has no {due.correlate_by} to correlate by")
    return {
        "trigger_id": due.trigger_id,
        "condition_id": due.condition_id,
        "cell_id": _cell_id(due.trigger_id, value),
        "cell_value": value,
        "key": occurrence_key(due),
        _ID[due.subject]: due.subject_id,
        "status": due.status,
        "part": due.part,
        "occurred_at": due.occurred_at,
    }


def _cell_id(trigger_id: str, value: str | None) -> str:
    if not value:
        return trigger_id
    # An index takes no text above 8 kB, and a refused index entry would refuse the whole event.
    return f"{trigger_id} {value if len(value) <= _LONGEST_VALUE else canonical_hash(value)}"


def occurrence_key(due: Due) -> str:
    """Return the key that identifies an occurrence within its trigger."""
    key = f"{due.condition_id} {due.subject_id} {due.status}"
    is_part = due.part is not None and due.part != due.subject_id
    return f"{key} {canonical_hash(due.part)[:32]}" if is_part else key


def time_of(occurred_at: str) -> datetime:
    """Return a time that Cypher wrote, which may have the name of its zone behind it."""
    return datetime.fromisoformat(occurred_at.partition("[")[0])


def _predicates(due: Due) -> tuple[Predicate, ...]:
    if not due.predicates:
        return ()
    return decode_json(due.predicates, into=tuple[Predicate, ...])


def _value(due: Due, payload: dict[str, Any]) -> str | None:
    if due.correlate_by is None:
        return None
    if due.correlate_by == "partition" and "partition" not in payload:
        return due.partition
    found = payload.get(due.correlate_by)
    return found if isinstance(found, str | None) else canonical_json(found)


def _unmet(predicate: Predicate, payload: dict[str, Any]) -> str:
    if predicate.key not in payload:
        names = ", ".join(sorted(payload)) or "nothing"
        return f"{predicate}: there is no such key in its payload, which has {names}"
    return f"{predicate}: it is {canonical_json(payload[predicate.key])}"[:300]


def _refused(due: Due, why: str) -> Refused:
    at = f"{time_of(due.occurred_at):%F %T%z}"
    message = f"{why} ({due.subject} {due.subject_id}, {due.status} at {at})"
    return Refused(due.trigger_id, due.condition_id, message)
