"""Resets: half-met conditions expire at a time, not at the next evaluation."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.cron import last_time, next_time
from lineagegraph.store.triggers import occurrences, triggers
from lineagegraph.store.triggers.occurrences import DueReset
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.fire import fire
from lineagegraph.triggers.occurrences import time_of
from lineagegraph.triggers.scheduled import take_turns
from lineagegraph.triggers.start import Started

_MOST_LOOKS = 20


def record_and_fire(
    tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None
) -> list[Started]:
    """Store occurrences in the cells of locked triggers, and fire the true ones.

    At each reset that was missed, what came before it is evaluated with the state before it, also
    scheduled times at which no daemon looked. Resets after the last occurrence are left to
    `reset_due`: older ones may still come.
    """
    due = _missed(rows, occurrences.due_resets(tx, now=now))
    if not due:
        return _fire(tx, rows, now)
    first = {one.trigger_id: one.reset_at for one in due}
    fired = _fire(tx, [row for row in rows if _is_early(row, first)], now)
    if get_pause(tx, now=now) is None:
        fired += fire_times(tx, first, now, looks=_MOST_LOOKS)
    return fired + _record(tx, [row for row in rows if not _is_early(row, first)], now)


def fire_times(
    tx: Transaction, trigger_ids: Collection[str], now: datetime | None, *, looks: int = 1
) -> list[Started]:
    """Fire locked triggers on their due times, each scheduled time on its own.

    A look takes a limited number of times.
    """
    fired: list[Started] = []
    for _ in range(looks):
        turns = take_turns(tx, trigger_ids, now)
        if not turns:
            break
        fired += [one for turn in turns for one in _record(tx, turn, now)]
    return fired


def _record(tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None) -> list[Started]:
    fired: list[Started] = []
    left = list(rows)
    while due := _missed(left, occurrences.due_resets(tx, now=now)):
        first = {one.trigger_id: one.reset_at for one in due}
        fired += _fire(tx, [row for row in left if _is_early(row, first)], now)
        left = [row for row in left if not _is_early(row, first)]
        _reset_conditions(tx, due, now, left)
    return fired + _fire(tx, left, now)


def _missed(rows: Sequence[Mapping[str, Any]], due: Sequence[DueReset]) -> list[DueReset]:
    last: dict[str, datetime] = {}
    for row in rows:
        at = time_of(row["occurred_at"])
        last[row["trigger_id"]] = max(at, last.get(row["trigger_id"], at))
    return [one for one in due if one.trigger_id in last and one.reset_at <= last[one.trigger_id]]


def reset_due(tx: Transaction, *, now: datetime | None = None) -> None:
    """Reset the half-met conditions whose time has come, except of triggers with due times.

    These count before the reset: `react_to_times` takes them.
    """
    ids = sorted(one.trigger_id for one in occurrences.due_resets(tx, now=now))
    if not ids or get_pause(tx, now=now):
        return
    locked = set(triggers.claim_triggers(tx, ids=ids))
    locked.difference_update(one.trigger_id for one in occurrences.due_times(tx, now=now))
    due = [reset for reset in occurrences.due_resets(tx, now=now) if reset.trigger_id in locked]
    _reset_conditions(tx, due, now)


def _reset_conditions(
    tx: Transaction,
    due: Sequence[DueReset],
    now: datetime | None,
    left: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Reset triggers at the last time before what is left of their occurrences, or before now."""
    until = {one.trigger_id: one.now for one in due}
    for row in left:
        if (at := time_of(row["occurred_at"])) < until.get(row["trigger_id"], at):
            until[row["trigger_id"]] = at
    rows = [_reset(one, until[one.trigger_id]) for one in due]
    if rows:
        occurrences.settle_expired(tx, rows=rows, now=now)


def _reset(one: DueReset, until: datetime) -> dict[str, Any]:
    begun_at = last_time(one.cron, one.zone, one.reset_at, until)
    return {
        "trigger_id": one.trigger_id,
        "begun_at": begun_at,
        "reset_at": next_time(one.cron, one.zone, begun_at),
    }


def _is_early(row: Mapping[str, Any], first: Mapping[str, datetime]) -> bool:
    reset_at = first.get(row["trigger_id"])
    return reset_at is not None and time_of(row["occurred_at"]) < reset_at


def _fire(tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None) -> list[Started]:
    if not rows:
        return []
    return fire(tx, occurrences.link_occurrences(tx, rows=list(rows), now=now), now)
