"""Equal tasks of different pipelines: one of them runs, the others take its outcome."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.freshness.keep_waits import SAME_TASK
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.graph import Transaction
from lineagegraph.model.names.named_values import values_of
from lineagegraph.model.pipelines.entry import End, Entry, Start, Wait, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import read_value
from lineagegraph.store.freshness import waits
from lineagegraph.store.runs import leases

_RECHECK = 120.0
_FIRST = timedelta(seconds=1)


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """A task with an identity whose turn it is, in a run that a worker holds by its fence.

    A success counts for it `within` that time and, with `since`, only after that.
    """

    run_id: str
    root_id: str
    fence: int
    job_key: str
    identity: str
    within: timedelta
    since: datetime | None = None

    @property
    def lease(self) -> str:
        """The name of the lease that lets it start."""
        return f"identity {self.identity}"


def enter_shared(tx: Transaction, task: Sharing, *, now: datetime | None = None) -> Entry:
    """Return the next step of a task: start, take another's outcome, or wait for it."""
    assert_lease(tx, task.root_id, task.fence)
    lease = leases.claim_lease(tx, name=task.lease, job_key=task.job_key, now=now)
    if lease.run_id == task.run_id:
        return Start(lease.epoch)
    if lease.run_id is not None:
        message = f"run {lease.run_id} executes the same task now"
        return Waits("WAITS_FOR_SAME_TASK", message, (Wait(job_key=lease.job_key),), True)
    done = leases.get_shared(tx, name=task.lease, within=task.within, since=task.since, now=now)
    if done is not None:
        message = f"run {done.run_id} executed the same task"
        values = values_of(done.emitted), read_value(done.output)
        return End(RunState.COMPLETED, "SHARED", message, *values)
    epoch = leases.set_holder(
        tx, name=task.lease, run_id=task.run_id, root_id=task.root_id, fence=task.fence, now=now
    )
    return Start(epoch)


def keep_shared(
    tx: Transaction, task: Sharing, found: Waits, *, now: datetime | None = None
) -> bool:
    """Store the wait of a task; return False if its run is not in the graph yet."""
    waits.release_waits(tx, run_ids=[task.run_id])
    row: dict[str, Any] = {
        "run_id": task.run_id,
        "root_id": task.root_id,
        "job_key": found.on[0].job_key,
        "kind": SAME_TASK,
        "lease": task.lease,
        "freshness": None,
        "parts": [],
        "submitted_at": None,
        "recheck": _RECHECK,
        "wait": None,
    }
    return waits.merge_waits(tx, rows=[row], first=_FIRST, now=now) == 1
