"""Runs of a backfill that repeat old runs, as they are queued."""

from collections.abc import Sequence

from lineagegraph.graph import Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.reruns.plan import Repeats
from lineagegraph.reruns.start import hold
from lineagegraph.store.triggers import backfills


def hold_repeats(tx: Transaction, run_ids: Sequence[str]) -> None:
    """Bind the runs that are reruns to their plans."""
    for row in backfills.list_repeats(tx, run_ids=list(run_ids)):
        hold(tx, row.run_id, decode_json(row.repeats, into=Repeats))
