"""The audit log: who changed what, when and from where."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from lineagegraph.graph import Transaction, bound, note_receipt
from lineagegraph.model.actor import current_actor
from lineagegraph.model.names.keys import canonical_json, text_hash
from lineagegraph.model.runs.ids import new_id
from lineagegraph.secrets import MASK, mask, names_secret
from lineagegraph.store.admin.states import CLAIMS, ThingState

MOST_CHARACTERS = 4_000
_SHOWN_CHARACTERS = 1_000
# Members of states that are JSON in the graph.
_JSON = ("rule", "value")
State = dict[str, Any]
T = TypeVar("T")


class AuditEntry(msgspec.Struct, frozen=True):
    """A change."""

    id: str  # UUIDv7
    at: datetime  # the database's time, to a microsecond
    actor: str  # such as token:ci, user:ann, cli:ann@host, daemon or loopback
    address: str | None  # IP address of the request's sender; None without a request
    action: str  # the thing and a verb, as schedule.suspend
    thing: str  # kind of thing, as schedule
    key: str  # its key or id in the graph
    name: str  # its name at that time; the key if it has none
    job: str | None  # full name of the job that it is about
    namespace: str | None  # namespace of that job, or of the dataset
    before: str | None  # its state before, as JSON
    after: str | None  # its state after, as JSON


class AuditedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change to record; the names of jobs, runs, triggers and datasets come from the graph."""

    key: str  # key or id of the thing
    name: str | None = None  # its name, if the graph has no node with it
    job_key: str | None = None  # key of the job that it is about
    before: Any = None  # state before, as far as it is known
    after: Any = None  # state after; None if the thing is gone


def audit(
    tx: Transaction,
    action: str,
    key: str,
    *,
    name: str | None = None,
    job_key: str | None = None,
    before: Any = None,
    after: Any = None,
) -> None:
    """Record a change in the transaction that makes it, so that neither exists without the other.

    `action` is the kind of thing, a dot and a verb. Secrets are masked, and a large state is cut.
    """
    change = AuditedChange(key=key, name=name, job_key=job_key, before=before, after=after)
    audit_each(tx, action, [change])


@contextmanager
def audited(tx: Transaction, action: str, *keys: str, kind: str | None = None) -> Iterator[None]:
    """Record for each thing that the block changes its states before and after.

    The things are locked, so that each state is the one that the change before left. `kind` is one
    of `CLAIMS`, by default the first word of the action.
    """
    of, keys = kind or action.partition(".")[0], tuple(sorted(set(keys)))
    before = _claim(tx, of, keys)
    yield
    after = _claim(tx, of, keys)
    changes: dict[str, list[AuditedChange]] = defaultdict(list)
    for key in keys:
        was, now = before.get(key), after.get(key)
        if was != now:
            change = AuditedChange(key=key, before=_shown(of, key, was), after=_shown(of, key, now))
            changes[_of_schedule(action, now or was or {})].append(change)
    for name, made in changes.items():
        audit_each(tx, name, made)


def make_audited(
    tx: Transaction,
    action: str,
    key: str,
    change: Callable[[Transaction], T],
    kind: str | None = None,
) -> T:
    """Make a change of one thing, recorded as `audited` does, and return its result."""
    with audited(tx, action, key, kind=kind):
        return change(tx)


def _claim(tx: Transaction, kind: str, keys: tuple[str, ...]) -> dict[str, State]:
    found = CLAIMS[kind](tx, keys=list(keys))
    return {one.key: _readable(one) for one in found}


def _readable(one: ThingState) -> State:
    state = {name: value for name, value in one.state.items() if value is not None}
    for name in state.keys() & set(_JSON):
        state[name] = msgspec.json.decode(state[name])
    return state


def _shown(kind: str, key: str, state: State | None) -> State | None:
    """Return a state without the value of a variable whose name is that of a secret."""
    is_secret = state is not None and kind == "variable" and names_secret(key)
    return dict.fromkeys(state, MASK) if state and is_secret else state


def _of_schedule(action: str, state: State) -> str:
    """Return the action on a trigger, which is a schedule if it was made as one."""
    is_schedule = action.startswith("trigger.") and state.get("origin") == "schedule"
    return f"schedule.{action.partition('.')[2]}" if is_schedule else action


def audit_each(tx: Transaction, action: str, changes: Iterable[AuditedChange]) -> None:
    """Record one action on several things, as `audit` does."""
    actor = current_actor()
    shared = {"actor": actor.name, "address": actor.address, "action": action}
    rows = [
        shared
        | {
            "id": new_id(),
            "thing": action.partition(".")[0],
            "key": change.key,
            "name": change.name,
            "job_key": change.job_key,
            "before": state_text(change.before),
            "after": state_text(change.after),
        }
        for change in changes
    ]
    merge_entries(tx, rows=rows)
    if rows:
        note_receipt(str(rows[-1]["id"]))


def state_text(state: Any) -> str | None:
    """Return a state as JSON without secrets; of a large one its beginning, size and hash."""
    if state is None:
        return None
    text = canonical_json(mask(msgspec.to_builtins(state)))
    if len(text) <= MOST_CHARACTERS:
        return text
    cut = {"cut": text[:_SHOWN_CHARACTERS], "characters": len(text), "sha256": text_hash(text)}
    return canonical_json(cut)


@bound
def merge_entries(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def list_newest(
    tx: Transaction,
    *,
    since: str | None,
    until: str | None,
    actor: str | None,
    action: str | None,
    offset: int,
    limit: int,
) -> list[AuditEntry]: ...


@bound
def list_oldest(
    tx: Transaction,
    *,
    since: str | None,
    beyond: str,
    until: str | None,
    actor: str | None,
    action: str | None,
    offset: int,
    limit: int,
) -> list[AuditEntry]: ...


@bound
def list_about(
    tx: Transaction,
    *,
    about: str,
    since: str | None,
    until: str | None,
    actor: str | None,
    action: str | None,
    newest: bool,
    beyond: str,
    offset: int,
    limit: int,
) -> list[AuditEntry]: ...


@bound
def count_entries(
    tx: Transaction,
    *,
    since: str | None,
    until: str | None,
    actor: str | None,
    action: str | None,
) -> int: ...


@bound
def count_about(
    tx: Transaction,
    *,
    about: str,
    since: str | None,
    until: str | None,
    actor: str | None,
    action: str | None,
) -> int: ...


@bound
def get_last(tx: Transaction, *, key: str, action: str) -> str | None: ...


@bound
def delete_old(tx: Transaction, *, age: timedelta, limit: int, now: datetime | None) -> int: ...
