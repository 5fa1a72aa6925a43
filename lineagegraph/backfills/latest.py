"""The runs that the partitions of a backfill had before."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from lineagegraph.graph import Transaction
from lineagegraph.reruns.original import incomplete, pipeline_of
from lineagegraph.store.runs.reruns import get_original
from lineagegraph.store.triggers import backfills
from lineagegraph.store.triggers.backfills import PartitionRun


def list_latest(
    tx: Transaction, job_key: str, rows: Sequence[dict[str, Any]]
) -> list[PartitionRun]:
    """Return the latest run of each partition, and whether one has completed all of its tasks.

    A run of some tasks completes the partition only if the runs that it repeats did the others.
    """
    latest = backfills.list_latest(tx, job_key=job_key, rows=list(rows))
    return [
        one if one.has_completed else replace(one, has_completed=_is_whole(tx, one.partial))
        for one in latest
    ]


def _is_whole(tx: Transaction, partial: Sequence[str]) -> bool:
    return any(_completes(tx, run_id) for run_id in partial)


def _completes(tx: Transaction, run_id: str) -> bool:
    original = get_original(tx, id=run_id)
    if original is None or (pipeline := pipeline_of(original)) is None:
        return False
    return not incomplete(tx, original, pipeline)
