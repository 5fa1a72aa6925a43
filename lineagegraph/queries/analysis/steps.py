"""The work of a day: runs without children, and their order.

Spark's reads and writes count as the task's. A link of a pipeline applies to its tasks: each came
after the run that started the pipeline, and the pipeline ended with the last of them. Sensors are
no work: what comes after one comes after the work before it. Reruns by hand are left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date, datetime
from itertools import pairwise

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.states import JobKind
from lineagegraph.queries.analysis.day import is_spark, parents_of, runs_of
from lineagegraph.queries.find.find import NamedNode
from lineagegraph.store.jobs.details import list_reads, list_writes
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.store.lineage.days import DayRun, RunLink, TaskOrder, list_links, list_orders


class WorkStep(msgspec.Struct, frozen=True):
    """A piece of work that has ended: the times at which it was known, began and ended."""

    run: str
    namespace: str | None
    job: str
    state: str
    known: datetime
    began: datetime
    ended: datetime


class WorkSteps(msgspec.Struct, frozen=True):
    """Pieces of work by run id, and the links between them.

    `targets` are those that reached a target, if one was asked for.
    """

    steps: dict[str, WorkStep]
    links: list[RunLink]
    targets: frozenset[str] | None = None


def read_steps(tx: Transaction, day: date, zone: str, target: NamedNode | None = None) -> WorkSteps:
    """Return the work that began in a day and has ended; a target is a job or a dataset."""
    runs = runs_of(tx, day, zone)
    ids = [run.id for run in runs]
    targets = _reaching(tx, runs, target) if target else None
    reads = (
        RunLink(read.writer, read.id, "data") for read in list_reads(tx, ids=ids) if read.writer
    )
    links = [*list_links(tx, ids=ids), *reads]
    return arrange(runs, links, list_orders(tx, ids=ids), targets)


def arrange(
    runs: Iterable[DayRun],
    links: Iterable[RunLink],
    orders: Iterable[TaskOrder],
    targets: Iterable[str] | None = None,
) -> WorkSteps:
    """Return runs as pieces of work, and links of runs as links between those."""
    tree = _Tree(runs)
    said = [*links, *tree.order_links(orders), *tree.retry_links()]
    ended = [run for run in tree.leaves if run.has_run and not tree.is_by_hand(run.id)]
    steps = {one.run: one for one in map(_step, ended) if one}
    sensors = {run.id for run in ended if run.kind == JobKind.SENSOR}
    bridged = list(_bridged(list(_lifted(said, tree, steps)), sensors))
    work = {run: step for run, step in steps.items() if run not in sensors}
    if targets is None:
        return WorkSteps(work, bridged)
    known = (tree.lift(run) for run in targets if run in tree.runs)
    leaves = {leaf for run in known for leaf in tree.leaves_of(run)}
    return WorkSteps(work, bridged, frozenset(leaves & work.keys()))


def _reaching(tx: Transaction, runs: Sequence[DayRun], target: NamedNode) -> list[str]:
    """Return the runs of a job, or those that wrote a dataset."""
    if isinstance(target, NamedJob):
        return [run.id for run in runs if run.job_key == target.key]
    written = list_writes(tx, ids=[run.id for run in runs])
    return [row.id for row in written if row.dataset == target.key]


def _bridged(links: Sequence[RunLink], sensors: Set[str]) -> Iterator[RunLink]:
    """Yield links between work; those to and from a sensor are joined."""
    before: dict[str, list[str]] = defaultdict(list)
    for link in links:
        if link.after in sensors:
            before[link.after].append(link.before)
    for link in links:
        if link.after not in sensors:
            for run in _work_before(link.before, before, sensors):
                yield RunLink(run, link.after, link.kind)


def _work_before(run: str, before: Mapping[str, Sequence[str]], sensors: Set[str]) -> Iterator[str]:
    """Yield a run, or the nearest work before a sensor."""
    waiting, seen = [run], {run}
    while waiting:
        at = waiting.pop()
        if at not in sensors:
            yield at
            continue
        new = [one for one in before.get(at, ()) if one not in seen]
        seen.update(new)
        waiting += new


class _Tree:
    """Runs with parents and children; Spark's runs count as the task that contains them."""

    def __init__(self, runs: Iterable[DayRun]) -> None:
        self.runs = {run.id: run for run in runs}
        self._parents = parents_of(self.runs)
        self.below: dict[str, list[DayRun]] = defaultdict(list)
        for child, parent in self._parents.items():
            self.below[parent].append(self.runs[child])
        lifted = {self.lift(id_) for id_ in self.runs}
        self._work = {id_: [one for one in self.below[id_] if one.id in lifted] for id_ in lifted}
        self.leaves = [self.runs[id_] for id_ in self.runs if id_ in lifted and not self._work[id_]]

    def lift(self, id_: str) -> str:
        """Return the run that a run counts as."""
        while is_spark(self.runs[id_]) and id_ in self._parents:
            id_ = self._parents[id_]
        return id_

    def is_by_hand(self, id_: str) -> bool:
        """Return whether a person repeated a run, or one of those above it."""
        at: str | None = id_
        while at and not self.runs[at].by_hand:
            at = self._parents.get(at)
        return at is not None

    def leaves_of(self, id_: str) -> list[str]:
        """Return the pieces of work in a run: the run itself, if it has no children."""
        below = self._work[id_]
        return [leaf for one in below for leaf in self.leaves_of(one.id)] if below else [id_]

    def is_above(self, id_: str, other: str) -> bool:
        """Return whether a run is another run or its ancestor."""
        at: str | None = other
        while at and at != id_:
            at = self._parents.get(at)
        return at == id_

    def order_links(self, orders: Iterable[TaskOrder]) -> Iterator[RunLink]:
        """Yield the order of task runs, from the version of their pipeline."""
        named: dict[str, dict[str, list[str]]] = {}
        for order in orders:
            if order.run not in named:
                named[order.run] = self._by_name(order.run)
            top = self.runs[order.run].name
            for first in named[order.run].get(f"{top}.{order.first}", ()):
                for then in named[order.run].get(f"{top}.{order.then}", ()):
                    yield RunLink(first, then, "order")

    def retry_links(self) -> Iterator[RunLink]:
        """Yield links between consecutive attempts; parallel runs of a job are none.

        Nor are those for different partitions or data intervals.
        """
        for children in self.below.values():
            attempts: dict[tuple[object, ...], list[DayRun]] = defaultdict(list)
            for child in children:
                attempts[child.name, child.partition, child.nominal_start].append(child)
            for runs in attempts.values():
                for first, then in pairwise(runs):
                    if first.ended_at and first.ended_at <= (then.started_at or then.created_at):
                        yield RunLink(first.id, then.id, "retry")

    def _by_name(self, id_: str) -> dict[str, list[str]]:
        named: dict[str, list[str]] = defaultdict(list)
        waiting = list(self.below[id_])
        while waiting:
            run = waiting.pop()
            named[run.name].append(run.id)
            waiting.extend(self.below[run.id])
        return named


def _lifted(
    links: Iterable[RunLink], tree: _Tree, steps: Mapping[str, WorkStep]
) -> Iterator[RunLink]:
    ends = {(link.before, link.after): link.kind for link in links}
    for (before, after), kind in ends.items():
        if before not in tree.runs or after not in tree.runs:
            continue
        first, then = tree.lift(before), tree.lift(after)
        if tree.is_above(first, then) or tree.is_above(then, first):
            continue
        last = max(
            (leaf for leaf in tree.leaves_of(first) if leaf in steps),
            key=lambda leaf: (steps[leaf].ended, leaf),
            default=None,
        )
        if last:
            yield from (RunLink(last, leaf, kind) for leaf in tree.leaves_of(then) if leaf in steps)


def _step(run: DayRun) -> WorkStep | None:
    if run.ended_at is None:
        return None
    began = min(run.started_at or run.ended_at, run.ended_at)
    known = min(run.created_at, began)
    return WorkStep(run.id, run.namespace, run.name, run.state, known, began, run.ended_at)
