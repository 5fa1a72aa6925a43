"""The skip list: skipped jobs, and the snapshot of each run."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound


class SkipRow(msgspec.Struct, frozen=True):
    """An entry of the skip list; its `state` is IN_FORCE, EXPIRED or REMOVED."""

    id: str  # id of the entry
    job_key: str  # key of the skipped job
    namespace: str  # namespace of the job
    job: str  # full name of the job
    reason: str  # reason that the author gave
    author: str  # user who added it
    state: str  # IN_FORCE, EXPIRED or REMOVED
    created_at: datetime  # time at which it was added
    expires_at: datetime | None  # time from which it no longer applies; None for never
    removed_at: datetime | None  # time of its removal; None if it was not removed
    removed_by: str | None  # user who removed or replaced it; None if it was not removed


class SkippingJob(msgspec.Struct, frozen=True):
    """An entry in force, and the job that it skips with all below."""

    id: str
    job_key: str
    job: str


class SkippedJob(msgspec.Struct, frozen=True):
    """A job that a run skips, and why: the entry of the job itself, or of the nearest one above."""

    job_key: str
    skip_id: str
    reason: str
    author: str
    expires_at: datetime | None


def claim_snapshot(
    tx: Transaction, *, run_id: str, now: datetime | None = None
) -> list[SkippedJob]:
    """Return the skip list of a run at its first call: jobs of the run and its parents.

    Later changes of the list do not affect this run.
    """
    if claim_first(tx, run_id=run_id, now=now):
        link_heeded(tx, run_id=run_id)
    return list_heeded(tx, run_id=run_id)


@bound
def merge_skip(
    tx: Transaction,
    *,
    id: str,
    job_key: str,
    reason: str,
    author: str,
    lasting: timedelta | None,
    until: datetime | None,
    now: datetime | None,
) -> str | None: ...


@bound
def set_removed(tx: Transaction, *, id: str, by: str, now: datetime | None) -> str | None: ...


@bound
def list_skips(
    tx: Transaction,
    *,
    ended: bool,
    namespace: str | None,
    limit: int,
    offset: int,
    now: datetime | None,
) -> list[SkipRow]: ...


@bound
def count_skips(
    tx: Transaction, *, ended: bool, namespace: str | None, now: datetime | None
) -> int: ...


@bound
def list_starting(tx: Transaction, *, prefix: str, now: datetime | None) -> list[SkipRow]: ...


@bound
def list_in_force(tx: Transaction, *, job_key: str, now: datetime | None) -> list[SkippingJob]: ...


@bound
def claim_first(tx: Transaction, *, run_id: str, now: datetime | None) -> bool: ...


@bound
def link_heeded(tx: Transaction, *, run_id: str) -> None: ...


@bound
def list_heeded(tx: Transaction, *, run_id: str) -> list[SkippedJob]: ...
