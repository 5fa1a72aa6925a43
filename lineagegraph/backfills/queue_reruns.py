"""Runs of a backfill that repeat old runs, as they are queued."""

from collections.abc import Sequence

from lineagegraph.graph import Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.reruns.plan import Repeats
from lineagegraph.reruns.start import hold
from lineagegraph.store.runs import launches
from lineagegraph.store.triggers import backfills
from lineagegraph.store.triggers.backfills import Unstarted


def hold_repeats(tx: Transaction, run_ids: Sequence[str]) -> None:
    """Bind the runs that are reruns to their plans."""
    for row in backfills.list_repeats(tx, run_ids=list(run_ids)):
        hold(tx, row.run_id, decode_json(row.repeats, into=Repeats))


def skip_deleted(
    tx: Transaction, backfill_id: str, waiting: Sequence[Unstarted]
) -> list[Unstarted]:
    """Skip the partitions whose runs were deleted since they were planned; return the others."""
    runs = {
        one.number: decode_json(one.repeats, into=Repeats).run for one in waiting if one.repeats
    }
    if not runs:
        return list(waiting)
    known = {run.id for run in launches.list_states(tx, ids=sorted(set(runs.values())))}
    gone = {number: run for number, run in runs.items() if run not in known}
    rows = [
        {"number": number, "reason": f"run {run} was deleted"}
        for number, run in sorted(gone.items())
    ]
    backfills.set_skipped(tx, id=backfill_id, rows=rows)
    return [one for one in waiting if one.number not in gone]
