"""Fire triggers and redrive dead letters by hand."""

from collections.abc import Sequence
from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.admin.audit import AuditedChange, audit_each
from lineagegraph.store.triggers import firings
from lineagegraph.triggers.start import Started, start_firings

_MOST_REDRIVEN = 10_000


def note_by_hand(
    tx: Transaction,
    run_id: str,
    trigger_ids: Sequence[str],
    *,
    consume: bool,
    now: datetime | None = None,
) -> int:
    """Note that a person started a run in the place of triggers; return how much it consumed."""
    rows = [
        {
            "trigger_id": id_,
            "run_id": run_id,
            "key": new_id(),
            "reason": "started by hand",
            "consume": consume,
        }
        for id_ in trigger_ids
    ]
    after = {"run": run_id, "consume": consume}
    audit_each(tx, "trigger.fire", [AuditedChange(key=id_, after=after) for id_ in trigger_ids])
    return firings.merge_by_hand(tx, rows=rows, now=now) if rows else 0


def find_redrivable(tx: Transaction, trigger_id: str, chosen: Sequence[str] = ()) -> list[str]:
    """Return the keys of a trigger's dead letters, or of those of the chosen firings to redrive."""
    return firings.list_redrivable(
        tx, trigger_id=trigger_id, chosen=list(chosen), limit=_MOST_REDRIVEN
    )


def redrive(tx: Transaction, keys: Sequence[str], *, now: datetime | None = None) -> list[Started]:
    """Start the runs of firings that became dead letters, were given up or expired."""
    redriven = firings.set_redriven(tx, keys=list(keys))
    started = start_firings(tx, redriven, now)
    runs = {one.key: one.run_id for one in started}
    audit_each(
        tx,
        "firing.redrive",
        [AuditedChange(key=key, after={"run": runs.get(key)}) for key in redriven],
    )
    return started
