"""Backfills that a person pauses, resumes or cancels."""

from datetime import datetime

from lineagegraph.errors import BackfillConflict, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.backfill import BackfillState
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.triggers import backfills

_RUNNING, _PAUSED = BackfillState.RUNNING, BackfillState.PAUSED


def pause_backfill(graph: Graph, backfill_id: str, *, now: datetime | None = None) -> None:
    """Start no more runs of a backfill; those that are queued or running go on."""
    graph.write(_change, backfill_id, BackfillState.PAUSED, now)


def resume_backfill(graph: Graph, backfill_id: str, *, now: datetime | None = None) -> None:
    """Resume a backfill; the count of failures starts at zero."""
    graph.write(_change, backfill_id, BackfillState.RUNNING, now)


def cancel_backfill(
    graph: Graph, backfill_id: str, *, running: bool = False, now: datetime | None = None
) -> None:
    """End a backfill: no more runs start, and queued ones are killed; with `running` all are."""
    graph.write(_cancel, backfill_id, running, now)


def _cancel(tx: Transaction, backfill_id: str, running: bool, now: datetime | None) -> None:
    state = _hold(tx, backfill_id)
    # Cancelled again: runs in progress may still be ended.
    if state is not BackfillState.CANCELLED:
        _refuse_ended(backfill_id, state)
        backfills.set_state(tx, id=backfill_id, state=BackfillState.CANCELLED, reason=None, now=now)
    audit(
        tx,
        "backfill.cancel",
        backfill_id,
        before={"state": state},
        after={"state": BackfillState.CANCELLED, "running": running},
    )
    backfills.set_cancelled(tx, id=backfill_id, running=running)


def _change(tx: Transaction, backfill_id: str, wanted: BackfillState, now: datetime | None) -> None:
    state = _hold(tx, backfill_id)
    _refuse_ended(backfill_id, state)
    if state is not wanted:
        backfills.set_state(tx, id=backfill_id, state=wanted, reason=None, now=now)
        verb = "resume" if wanted is _RUNNING else "pause"
        before, after = {"state": state}, {"state": wanted}
        audit(tx, f"backfill.{verb}", backfill_id, before=before, after=after)


def _hold(tx: Transaction, backfill_id: str) -> BackfillState:
    held = backfills.claim_backfill(tx, id=backfill_id)
    if held is None:
        raise NotFound(f"no backfill {backfill_id!r}: `lineagegraph backfill list` lists them")
    backfills.settle_partitions(tx, id=backfill_id)
    return held.state


def _refuse_ended(backfill_id: str, state: BackfillState) -> None:
    if state not in (_RUNNING, _PAUSED):
        raise BackfillConflict(f"backfill {backfill_id} is {state}: start another")
