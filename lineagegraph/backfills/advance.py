"""The next runs of backfills, as those before them end.

All of it happens in one transaction that holds the backfill's lock: a process that dies in the
midst of it leaves nothing behind, and no other starts the same partition.
"""

from datetime import datetime

from lineagegraph.backfills.latest import list_latest
from lineagegraph.backfills.queue_reruns import hold_repeats, skip_deleted
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.backfill import BackfillState, is_wanted
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.triggers import backfills
from lineagegraph.store.triggers.backfills import LockedBackfill, Room, Unstarted

_FEWEST, _MOST = 50, 1_000


def advance_backfills(graph: Graph, *, now: datetime | None = None) -> int:
    """Queue the next runs of all backfills that have free slots, and return how many."""
    due = graph.read(backfills.due_backfills)
    return sum(len(graph.write(advance_backfill, one, now=now)) for one in due)


def advance_backfill(
    tx: Transaction, backfill_id: str, *, now: datetime | None = None
) -> list[str]:
    """Queue the next runs of a backfill and return their ids; end it if no partition is left."""
    held = backfills.claim_backfill(tx, id=backfill_id)
    if held is None or held.state is not BackfillState.RUNNING:
        return []
    backfills.settle_partitions(tx, id=backfill_id)
    room = backfills.get_room(tx, id=backfill_id)
    if backfills.settle_backfill(tx, id=backfill_id, now=now) or room is None:
        return []
    if reason := _too_many_failures(room) or _withdrawn(tx, backfill_id, held.job_key):
        backfills.set_state(tx, id=backfill_id, state=BackfillState.PAUSED, reason=reason, now=now)
        return []
    started = _start(tx, backfill_id, held, room.free, now)
    backfills.settle_backfill(tx, id=backfill_id, now=now)
    return started


def _too_many_failures(room: Room) -> str | None:
    if room.stop_after is None or room.failures < room.stop_after:
        return None
    return f"{room.failures} of its runs failed"


def _withdrawn(tx: Transaction, backfill_id: str, job_key: str) -> str | None:
    """Return why no run of the next partition would start; one that repeats a run would."""
    waiting = backfills.list_unstarted(tx, id=backfill_id, after=-1, most=1)
    if not waiting or waiting[0].repeats is not None:
        return None
    withdrawn = definition_files.get_withdrawn(tx, job_key=job_key)
    return None if withdrawn is None else withdrawn.reason


def _start(
    tx: Transaction, backfill_id: str, held: LockedBackfill, free: int, now: datetime | None
) -> list[str]:
    """Start up to `free` partitions, without completed ones; running ones wait."""
    started: list[str] = []
    after, most = -1, max(_FEWEST, min(2 * free, _MOST))
    while len(started) < free:
        waiting = backfills.list_unstarted(tx, id=backfill_id, after=after, most=most)
        if not waiting:
            break
        able = skip_deleted(tx, backfill_id, waiting)
        wanted = _sift(tx, backfill_id, held, able)[: free - len(started)]
        rows = [{"number": number, "run_id": new_id()} for number in wanted]
        claimed = backfills.claim_partitions(tx, id=backfill_id, rows=rows, now=now)
        hold_repeats(tx, claimed)
        started += claimed
        after = waiting[-1].number
    return started


def _sift(
    tx: Transaction, backfill_id: str, held: LockedBackfill, waiting: list[Unstarted]
) -> list[int]:
    rows = [{"number": one.number, "partition": one.partition} for one in waiting]
    latest = list_latest(tx, held.job_key, rows)
    idle = [one for one in latest if not one.is_in_progress]
    wanted = [o.number for o in idle if is_wanted(held.which, o.state, o.has_completed)]
    done = [{"number": o.number} for o in idle if o.number not in set(wanted)]
    backfills.set_skipped(tx, id=backfill_id, rows=done)
    return _one_each(waiting, set(wanted))


def _one_each(waiting: list[Unstarted], wanted: set[int]) -> list[int]:
    """Return the first of each partition: reruns of one run one after the other."""
    firsts = {one.partition or one.number: one.number for one in reversed(waiting)}
    return sorted(wanted & set(firsts.values()))
