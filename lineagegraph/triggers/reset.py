"""Resets: half-met conditions expire at a time, not at the next evaluation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.cron import last_time, next_time
from lineagegraph.store.triggers import occurrences, triggers
from lineagegraph.store.triggers.occurrences import DueReset
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.fire import fire
from lineagegraph.triggers.occurrences import time_of
from lineagegraph.triggers.start import Started


def record_and_fire(
    tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None
) -> list[Started]:
    """Store occurrences in the cells of locked triggers, and fire the true ones.

    At a reset, occurrences before it are evaluated with the state before it.
    """
    ids = {row["trigger_id"] for row in rows}
    due = [reset for reset in occurrences.due_resets(tx, now=now) if reset.trigger_id in ids]
    first = {one.trigger_id: one.reset_at for one in due}
    early = [row for row in rows if _is_early(row, first)]
    fired = _fire(tx, early, now) if early else []
    _reset_conditions(tx, due, now)
    return fired + _fire(tx, [row for row in rows if not _is_early(row, first)], now)


def reset_due(tx: Transaction, *, now: datetime | None = None) -> None:
    """Reset the half-met conditions whose time has come."""
    if get_pause(tx, now=now):
        return
    ids = sorted(one.trigger_id for one in occurrences.due_resets(tx, now=now))
    locked = set(triggers.claim_triggers(tx, ids=ids))
    due = [reset for reset in occurrences.due_resets(tx, now=now) if reset.trigger_id in locked]
    _reset_conditions(tx, due, now)


def _reset_conditions(tx: Transaction, due: Sequence[DueReset], now: datetime | None) -> None:
    rows = [
        {
            "trigger_id": one.trigger_id,
            "begun_at": last_time(one.cron, one.zone, one.reset_at, one.now),
            "reset_at": next_time(one.cron, one.zone, one.now),
        }
        for one in due
    ]
    if rows:
        occurrences.settle_expired(tx, rows=rows, now=now)


def _is_early(row: Mapping[str, Any], first: Mapping[str, datetime]) -> bool:
    reset_at = first.get(row["trigger_id"])
    return reset_at is not None and time_of(row["occurred_at"]) < reset_at


def _fire(tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None) -> list[Started]:
    return fire(tx, occurrences.link_occurrences(tx, rows=list(rows), now=now), now)
