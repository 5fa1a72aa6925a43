"""Restart failed runs as often as their trigger allows."""

from collections.abc import Sequence
from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.triggers import firings
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.start import Started


def rerun_failed(tx: Transaction, run_ids: Sequence[str], now: datetime | None) -> list[Started]:
    """Queue a rerun for each of the runs that failed and has one left."""
    pause = get_pause(tx, now=now)
    if pause and not pause.is_over:
        return []
    due = [(one, new_id()) for one in firings.due_reruns(tx, run_ids=list(run_ids))]
    rows = [
        {
            "key": one.key,
            "run_id": new,
            "params": one.params,
            "delay": one.delay,
            "rerun_of": one.run_id,
        }
        for one, new in due
    ]
    firings.merge_runs(tx, rows=rows, now=now)
    return [
        Started(one.key, one.trigger_id, new, f"{one.run_id} FAILED, so it runs again")
        for one, new in due
    ]
