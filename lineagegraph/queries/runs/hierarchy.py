"""Trees of jobs and of runs."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.store.jobs.hierarchy import (
    JobTreeRow,
    RunTreeRow,
    count_root_jobs,
    list_root_jobs,
    walk_job_tree,
    walk_run_tree,
)
from lineagegraph.store.jobs.listings import count_descendant_jobs, count_descendant_runs

T = TypeVar("T", JobTreeRow, RunTreeRow)
WHOLE = 20_000
"""Rows of a tree that is searched."""
LEVELS = 100
"""Levels of a tree: who shows one calls itself for each."""


class Branch(msgspec.Struct, Generic[T], frozen=True):
    """A job or run, and its children; the top of a tree that was cut has the rest's number."""

    item: T
    children: tuple["Branch[T]", ...] = ()
    left_out: int | msgspec.UnsetType = msgspec.UNSET


class RootJobs(msgspec.Struct, frozen=True):
    """The first jobs without a parent, and the number of those that were left out."""

    jobs: list[JobTreeRow]
    left_out: int


def list_roots(graph: Graph, namespace: str | None = None, limit: int = 500) -> RootJobs:
    """Return the jobs without a parent, by name and without their children."""

    def work(tx: Transaction) -> RootJobs:
        jobs = list_root_jobs(tx, namespace=namespace, limit=limit)
        return RootJobs(jobs, count_root_jobs(tx, namespace=namespace) - len(jobs))

    return graph.read(work)


def read_job_tree(
    graph: Graph, job: str, namespace: str | None = None, limit: int = 2000
) -> Branch[JobTreeRow]:
    """Return a job and its descendants, each with its latest state."""
    key = find_job(graph, job, namespace).key

    def work(tx: Transaction) -> Branch[JobTreeRow]:
        rows = walk_job_tree(tx, key=key, limit=limit)
        total = len(rows) if len(rows) < limit else 1 + count_descendant_jobs(tx, key=key)
        return _tree(rows, total, lambda row: row.key)

    return graph.read(work)


def read_run_tree(graph: Graph, run: str, limit: int = 2000) -> Branch[RunTreeRow]:
    """Return a run and its descendants."""
    run_id = find_run(graph, run).id

    def work(tx: Transaction) -> Branch[RunTreeRow]:
        rows = walk_run_tree(tx, id=run_id, limit=limit)
        # Who asks for the run alone, does so twice a second.
        is_whole = limit == 1 or len(rows) < limit
        total = len(rows) if is_whole else 1 + count_descendant_runs(tx, id=run_id)
        return _tree(rows, total, lambda row: row.id)

    return graph.read(work)


def _tree(rows: list[T], total: int, key: Callable[[T], str]) -> Branch[T]:
    if not rows:
        raise NotFound("it is no longer in the graph")
    below: dict[str | None, list[T]] = {}
    depths: dict[str | None, int] = {key(rows[0]): 1}
    for row in rows[1:]:
        depth = depths.get(row.parent, LEVELS) + 1
        if depth <= LEVELS:
            depths[key(row)] = depth
            below.setdefault(row.parent, []).append(row)
    whole = _branch(rows[0], below, key)
    if total <= len(depths):
        return whole
    return msgspec.structs.replace(whole, left_out=total - len(depths))


def _branch(row: T, below: dict[str | None, list[T]], key: Callable[[T], str]) -> Branch[T]:
    children: Iterable[T] = below.get(key(row), ())
    return Branch(row, tuple(_branch(child, below, key) for child in children))
