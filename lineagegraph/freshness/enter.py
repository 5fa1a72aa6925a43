"""The turn of a task: in one transaction it starts, ends as fresh or skipped, or begins to wait.

In the order of Optimus' life cycle of a task, with an operator's word first: the skip list; fresh
by its own terms; parents that are not fresh; unchanged inputs; the same task elsewhere.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from lineagegraph.freshness.candidate import Entering
from lineagegraph.freshness.describe import describe_latest
from lineagegraph.freshness.judge import FreshnessQuestion, Verdict, judge
from lineagegraph.freshness.keep_waits import PARENT
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.freshness.parents import Parent, judge_parents, outdated_by
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.describe import describe_freshness
from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.pipelines.entry import UNCHANGED, End, Entry, Start, Wait, Waits
from lineagegraph.model.runs.states import RunState
from lineagegraph.store.freshness.dependencies import list_named, list_removed
from lineagegraph.store.freshness.freshness import SuccessRow
from lineagegraph.store.freshness.waits import list_waits
from lineagegraph.store.runs import leases


def enter(tx: Transaction, task: Entering, *, now: datetime | None = None) -> Entry:
    """Return the next step of a task; one that starts has the lease from here on.

    Raises `RunError` if another worker holds its run by now.
    """
    assert_lease(tx, task.root_id, task.fence)
    if skip := task.skips.get(task.job_key):
        return skip.end()
    lease = leases.claim_lease(tx, name=task.lease, job_key=task.job_key, now=now)
    if lease.run_id == task.run_id:
        # It has begun: what became fresh or old meanwhile does not count any more.
        return Start(lease.epoch)
    keys = _keys(tx, task)
    own, *others = judge(
        tx, _questions(task, keys), zone=task.zone, counts=task.counts, now=lease.now
    )
    parents = _parents(task, keys, others)
    is_current = not task.force and not outdated_by(parents, own.latest)
    if is_current and own.is_young and own.latest and _is_new(task, own.latest):
        terms = describe_freshness(task.freshness, task.zone)
        message = f"fresh: {describe_latest(own)} in run {own.latest.run_id} ({terms})"
        return End(RunState.FRESH_SKIP, "FRESH", message)
    if entry := _ask_parents(tx, task, parents, lease.now):
        return entry
    if is_current and own.is_unchanged and own.latest:
        message = f"unchanged: run {own.latest.run_id} read the newest versions of its inputs"
        return End(RunState.FRESH_SKIP, UNCHANGED, message)
    if lease.run_id is not None:
        message = f"run {lease.run_id} executes it now"
        return Waits("WAITS_FOR_SAME_TASK", message, (Wait(job_key=task.job_key),))
    epoch = leases.set_holder(
        tx, name=task.lease, run_id=task.run_id, root_id=task.root_id, fence=task.fence, now=now
    )
    return Start(epoch)


def _parents(
    task: Entering, keys: Mapping[Dependency, str | None], verdicts: Sequence[Verdict]
) -> list[Parent]:
    return [
        Parent(
            one,
            key,
            verdict,
            task.ended.get(one.job) if _is_inside(task, one) else None,
            task.skips.get(key or ""),
        )
        for (one, key), verdict in zip(keys.items(), verdicts, strict=True)
    ]


def _ask_parents(
    tx: Transaction, task: Entering, parents: Sequence[Parent], now: datetime
) -> Entry | None:
    if task.ignore_parents:
        # What failed in this run has left nothing to go on with.
        parents = [one for one in parents if one.has_failed]
    waits = list_waits(tx, id=task.run_id)
    begun = {wait.job_key: wait for wait in waits if wait.kind == PARENT}
    return judge_parents(_with_removed(tx, parents), begun, now, task.zone)


def _with_removed(tx: Transaction, parents: Sequence[Parent]) -> list[Parent]:
    keys = [one.key for one in parents if one.key and not one.is_met]
    removed = {one.key: one for one in list_removed(tx, keys=keys)}
    return [one._replace(removed=removed.get(one.key or "")) for one in parents]


def _is_new(task: Entering, latest: SuccessRow) -> bool:
    """Return whether a success counts as new by the terms: it began afterwards."""
    return task.freshness.max_age != 0 or latest.started_at >= task.submitted


def _keys(tx: Transaction, task: Entering) -> dict[Dependency, str | None]:
    """Return the keys of the parents' jobs; None for an unknown one."""
    elsewhere = [one for one in task.dependencies if not _is_inside(task, one)]
    rows = [{"namespace": one.namespace or task.namespace, "fqn": one.job} for one in elsewhere]
    known = {(row.namespace, row.fqn): row.key for row in list_named(tx, rows=rows)}
    return {
        one: task.inside[one.job]
        if _is_inside(task, one)
        else known.get((one.namespace or task.namespace, one.job))
        for one in task.dependencies
    }


def _is_inside(task: Entering, parent: Dependency) -> bool:
    """Return whether a parent is in the same batch: one with a namespace is a job of that."""
    return parent.namespace is None and parent.job in task.inside


def _questions(task: Entering, keys: Mapping[Dependency, str | None]) -> list[FreshnessQuestion]:
    """Return the questions of a task: itself, then its parents."""
    asked = [(task.job_key, task.freshness)]
    asked += [(key or "", one.freshness) for one, key in keys.items()]
    return [
        FreshnessQuestion(key, freshness, task.parts, task.submitted) for key, freshness in asked
    ]
