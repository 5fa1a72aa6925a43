"""Deletion of jobs of which nothing is left."""

from lineagegraph.graph import Transaction
from lineagegraph.store.jobs import jobs

_AT_ONCE = 500


def delete_emptied(tx: Transaction, keys: set[str]) -> None:
    """Delete jobs that nothing is left of, children before their parents."""
    while keys:
        deleted = jobs.delete_empty(tx, keys=sorted(keys))
        keys = {job.parent_key for job in deleted if job.parent_key}


def delete_spared(tx: Transaction) -> None:
    """Delete jobs that only a mute or a wait has kept, once that has ended."""
    delete_emptied(tx, set(jobs.due_spared(tx, limit=_AT_ONCE)))
