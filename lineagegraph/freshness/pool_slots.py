"""Slots of pools: a task starts with its slots, or waits for them in the order of the pool."""

from collections import defaultdict
from datetime import datetime, timedelta

import msgspec

from lineagegraph.freshness.lease import assert_lease
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.pipelines.entry import End, Entry, Start, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.runs import pools

WAITS_FOR_POOL = "WAITS_FOR_POOL"
# A parked run that is woken gets a worker within this time, or others take the slots.
_WOKEN = timedelta(seconds=30)


class SlotRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A task with a pool whose turn it is, in a run that a worker holds by its fence."""

    run_id: str
    root_id: str
    fence: int
    job_key: str
    pool: str
    slots: int
    priority: int


def take_slots(tx: Transaction, task: SlotRequest, *, now: datetime | None = None) -> Entry:
    """Return the next step of a task: start with its slots, wait for them, or fail.

    Raises `RunError` if another worker holds its run by now.
    """
    # Locks: the run, then the pool; a lease of the task is of an earlier transaction.
    assert_lease(tx, task.root_id, task.fence)
    found = pools.claim_slots(tx, **msgspec.structs.asdict(task), now=now)
    if found is not None and found.is_taken:
        return Start(0)
    fault = pool_fault(task.pool, found.slots if found else None, task.slots)
    if found is None or fault:
        reason = "POOL_TOO_SMALL" if found else "UNKNOWN_POOL"
        return End(RunState.FAILED, reason, fault or "")
    return Waits(WAITS_FOR_POOL, _waiting(task, found), ())


def _waiting(task: SlotRequest, found: pools.SlotsRow) -> str:
    if not found.slots:
        return f"pool {task.pool} is closed: `lineagegraph pool set {task.pool} N` opens it"
    message = f"waits for {task.slots} of {found.slots} slots of pool {task.pool}"
    return f"{message}, of which {found.taken} are taken"


def queue_waiting_for_slots(graph: Graph, *, now: datetime | None = None) -> list[str]:
    """Queue the parked runs of which a task can take its slots.

    Return the addresses of workers whose tasks can.
    """
    due = graph.read(pools.due_claims, now=now)
    parked: dict[str, list[str]] = defaultdict(list)
    for one in due:
        if one.is_parked:
            parked[one.root_id].append(one.run_id)
    if parked:
        rows = [{"root_id": root, "run_ids": ids} for root, ids in sorted(parked.items())]
        graph.write(pools.settle_woken, rows=rows, term=_WOKEN, now=now)
    return [one.address for one in due if one.address]


def pool_fault(name: str, slots: int | None, wanted: int) -> str | None:
    """Return why a task cannot get slots of a pool with so many, None for an unknown one.

    One with 0 slots is closed: its tasks wait until it is opened again.
    """
    if slots is None:
        return f"pool {name!r} is unknown: `lineagegraph pool set {name} {wanted}` makes it"
    if 0 < slots < wanted:
        return (
            f"pool {name} has {slots} slots and the task needs {wanted}: lower pool_slots, or give "
            f"it more by `lineagegraph pool set {name} {wanted}`"
        )
    return None
