"""Trees of jobs and of runs."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.queries.find.find import find_job, find_run
from lineagegraph.store.jobs.hierarchy import (
    JobTreeRow,
    RunTreeRow,
    list_root_jobs,
    walk_job_tree,
    walk_run_tree,
)

T = TypeVar("T", JobTreeRow, RunTreeRow)


class Branch(msgspec.Struct, Generic[T], frozen=True):
    """A job or run, and its children."""

    item: T
    children: tuple["Branch[T]", ...] = ()


def list_roots(
    graph: Graph, namespace: str | None = None, limit: int = 500
) -> list[Branch[JobTreeRow]]:
    """Return the jobs without a parent, by name and without their children."""
    return [Branch(job) for job in graph.read(list_root_jobs, namespace=namespace, limit=limit)]


def read_job_tree(
    graph: Graph, job: str, namespace: str | None = None, limit: int = 2000
) -> Branch[JobTreeRow]:
    """Return a job and its descendants, each with its latest state."""
    key = find_job(graph, job, namespace).key
    return _tree(graph.read(walk_job_tree, key=key, limit=limit), lambda row: row.key)


def read_run_tree(graph: Graph, run: str, limit: int = 2000) -> Branch[RunTreeRow]:
    """Return a run and its descendants."""
    found = find_run(graph, run)
    return _tree(graph.read(walk_run_tree, id=found.id, limit=limit), lambda row: row.id)


def _tree(rows: list[T], key: Callable[[T], str]) -> Branch[T]:
    if not rows:
        raise NotFound("it is no longer in the graph")
    below: dict[str | None, list[T]] = {}
    for row in rows[1:]:
        below.setdefault(row.parent, []).append(row)
    return _branch(rows[0], below, key)


def _branch(row: T, below: dict[str | None, list[T]], key: Callable[[T], str]) -> Branch[T]:
    children: Iterable[T] = below.get(key(row), ())
    return Branch(row, tuple(_branch(child, below, key) for child in children))
