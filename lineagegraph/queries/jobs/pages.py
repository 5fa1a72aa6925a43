"""Lists of namespaces, jobs, runs, partitions and datasets, one page at a time."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_with_origins
from lineagegraph.queries.jobs.job_details import (
    JobDetail,
    describe_jobs,
    latest_facets,
)
from lineagegraph.queries.owner_names import owners_in
from lineagegraph.queries.runs.run_details import Facets, RunDetail, describe_runs
from lineagegraph.queries.tag_names import tag_names
from lineagegraph.store.admin import namespaces, tags
from lineagegraph.store.admin.tags import TagRow
from lineagegraph.store.jobs import details, listings
from lineagegraph.store.jobs.details import NamespaceRow
from lineagegraph.store.jobs.listings import KeyPage

T = TypeVar("T")
Lister = Callable[..., KeyPage]
"""Reads a page of keys, given `limit`, `offset` and what the list is of."""
_ALL = 2**31


def _paged(listed: Callable[..., list[str]], counted: Callable[..., int]) -> Lister:
    def read(tx: Transaction, *, limit: int, offset: int, **of: Any) -> KeyPage:
        return KeyPage(listed(tx, limit=limit, offset=offset, **of), counted(tx, **of))

    return read


_JOBS: dict[str, Lister] = {
    "children": _paged(listings.list_child_jobs, listings.count_child_jobs),
    "descendants": _paged(listings.list_descendant_jobs, listings.count_descendant_jobs),
}
_RUNS: dict[str, Lister] = {
    "children": _paged(listings.list_child_runs, listings.count_child_runs),
    "descendants": _paged(listings.list_descendant_runs, listings.count_descendant_runs),
}


class Cut(msgspec.Struct, frozen=True):
    """The requested part of a list."""

    limit: int = 100
    offset: int = 0


class JobFilter(msgspec.Struct, frozen=True):
    """Which jobs to list; None and an empty list take all."""

    namespace: str | None = None
    states: list[str] = []
    tag: str | None = None
    owner: str | None = None


class RunFilter(msgspec.Struct, frozen=True):
    """Which runs to list: created at `since` or later, and before `until`."""

    states: list[str] = []
    since: datetime | None = None
    until: datetime | None = None


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a list, and the length of the list."""

    items: tuple[T, ...]
    total: int

    @classmethod
    def of(cls, found: Sequence[T], cut: Cut) -> "Page[T]":
        """Return the requested part of a list that was read whole."""
        return cls(tuple(found[cut.offset : cut.offset + cut.limit]), len(found))


class Partition(msgspec.Struct, frozen=True):
    """A partition, as canonical JSON text, with its latest run."""

    text: str
    run: RunDetail


def page_namespaces(graph: Graph, cut: Cut) -> Page[NamespaceRow]:
    """Return the namespaces of jobs and datasets, by name."""

    def work(tx: Transaction) -> Page[NamespaceRow]:
        names = listings.list_namespaces(tx, limit=cut.limit, offset=cut.offset)
        rows = details.list_namespaces(tx, names=names)
        return Page(tuple(rows), listings.count_namespaces(tx))

    return graph.read(work)


def read_namespace(graph: Graph, name: str) -> NamespaceRow:
    """Return one namespace."""
    check_namespace(graph, name)
    return graph.read(details.list_namespaces, names=[name])[0]


def check_namespace(graph: Graph, name: str) -> None:
    """Raise `NotFound` unless a namespace of that name exists."""
    if graph.read(namespaces.get_name, name=name) is None:
        raise NotFound(f"no namespace {name!r}")


def _read_in(
    graph: Graph, namespace: str | None, work: Callable[[Transaction], Page[T]]
) -> Page[T]:
    page = graph.read(work)
    # A namespace that has something exists.
    if namespace is not None and not page.total:
        check_namespace(graph, namespace)
    return page


def page_tags(graph: Graph, cut: Cut) -> Page[TagRow]:
    """Return the tags that users created or attached, by name."""

    def work(tx: Transaction) -> Page[TagRow]:
        rows = tags.list_tags(tx, limit=cut.limit, offset=cut.offset)
        return Page(tuple(rows), tags.count_tags(tx))

    return graph.read(work)


def page_jobs(graph: Graph, chosen: JobFilter, inherit: bool, cut: Cut) -> Page[JobDetail]:
    """Return the chosen jobs by FQN."""
    lister, of = _lister(chosen, inherit)

    def work(tx: Transaction) -> Page[JobDetail]:
        if chosen.tag is None and chosen.owner is None:
            return _jobs(tx, lister, inherit, cut, of)
        keys = lister(tx, limit=_ALL, offset=0, **of).keys
        if chosen.tag is not None:
            keys = _tagged(tx, keys, chosen.tag)
        if chosen.owner is not None:
            facets = latest_facets(tx, keys, name="ownership")
            keys = [key for key in keys if chosen.owner in owners_in(facets[key])]
        shown = describe_jobs(tx, keys[cut.offset :][: cut.limit], inherit)
        return Page(tuple(shown), len(keys))

    return _read_in(graph, chosen.namespace, work)


def page_related_jobs(
    graph: Graph, key: str, relation: str, inherit: bool, cut: Cut
) -> Page[JobDetail]:
    """Return a job's `children`, by FQN, or its `descendants`, nearest first."""
    return graph.read(_jobs, _JOBS[relation], inherit, cut, {"key": key})


def page_runs(
    graph: Graph, key: str, states: list[str], inherit: bool, cut: Cut
) -> Page[RunDetail]:
    """Return a job's runs, newest first: all, or those in some states."""
    if states:
        in_states = _paged(listings.list_runs_in_states, listings.count_runs_in_states)
        return graph.read(_runs, in_states, inherit, cut, {"key": key, "states": states})
    lister = _paged(listings.list_runs, listings.count_runs)
    return graph.read(_runs, lister, inherit, cut, {"key": key})


def page_all_runs(graph: Graph, chosen: RunFilter, inherit: bool, cut: Cut) -> Page[RunDetail]:
    """Return the chosen runs of all jobs, newest first."""
    of = {"states": chosen.states, "since": chosen.since, "until": chosen.until}
    lister = _paged(listings.list_all_runs, listings.count_all_runs)
    return graph.read(_runs, lister, inherit, cut, of)


def page_related_runs(
    graph: Graph, run: str, relation: str, inherit: bool, cut: Cut
) -> Page[RunDetail]:
    """Return a run's `children`, earliest first, or its `descendants`, nearest first."""
    return graph.read(_runs, _RUNS[relation], inherit, cut, {"id": run})


def page_partitions(graph: Graph, key: str, inherit: bool, cut: Cut) -> Page[Partition]:
    """Return the partitions that a job ran for, by name, each with its latest run."""

    def work(tx: Transaction) -> Page[Partition]:
        rows = listings.list_partitions(tx, key=key, limit=cut.limit, offset=cut.offset)
        runs = {one.row.id: one for one in describe_runs(tx, [row.run for row in rows], inherit)}
        items = (Partition(row.partition, runs[row.run]) for row in rows)
        return Page(tuple(items), listings.count_partitions(tx, key=key))

    return graph.read(work)


def page_datasets(
    graph: Graph,
    namespace: str | None,
    cut: Cut,
    *,
    tag: str | None = None,
    owner: str | None = None,
    latest_columns: bool = False,
) -> Page[DatasetDetail]:
    """Return the datasets of a namespace or of all, by name, or those with a tag and an owner."""
    lister, of = _dataset_lister(namespace)
    describe = partial(describe_with_origins, latest_columns=latest_columns)

    def work(tx: Transaction) -> Page[DatasetDetail]:
        if tag is not None or owner is not None:
            keys = lister(tx, limit=_ALL, offset=0, **of).keys
            rows = listings.list_marked_datasets(tx, keys=keys)
            marked = {row.key for row in rows if _is_marked(row, tag, owner)}
            found = [key for key in keys if key in marked]
            shown = found[cut.offset :][: cut.limit]
            return Page(tuple(describe(tx, shown)), len(found))
        listed = lister(tx, limit=cut.limit, offset=cut.offset, **of)
        return Page(tuple(describe(tx, listed.keys)), listed.total)

    return _read_in(graph, namespace, work)


def _dataset_lister(namespace: str | None) -> tuple[Lister, dict[str, Any]]:
    if namespace is None:
        return _paged(listings.list_all_datasets, listings.count_all_datasets), {}
    lister = _paged(listings.list_datasets, listings.count_datasets)
    return lister, {"namespace": namespace}


def _is_marked(row: listings.MarkedDatasetRow, tag: str | None, owner: str | None) -> bool:
    return (tag is None or tag in tag_names(row.tags, _facet("tags", row.tags_facet))) and (
        owner is None or owner in owners_in(_facet("ownership", row.ownership))
    )


def _lister(chosen: JobFilter, inherit: bool) -> tuple[Lister, dict[str, Any]]:
    of: dict[str, Any] = {"namespace": chosen.namespace}
    if chosen.states:
        of |= {"states": chosen.states, "inherit": inherit}
        return listings.get_jobs_in_states, of
    if chosen.namespace is None:
        return _paged(listings.list_jobs, listings.count_jobs), {}
    if inherit:
        return listings.get_jobs_under, of
    return _paged(listings.list_jobs_in, listings.count_jobs_in), of


def _tagged(tx: Transaction, keys: list[str], tag: str) -> list[str]:
    """Return the keys of jobs with a tag, in the same order."""
    rows = {row.key: row for row in listings.list_job_tags(tx, keys=keys)}
    facets = latest_facets(tx, rows, name="tags")
    return [key for key in keys if key in rows and tag in tag_names(rows[key].tags, facets[key])]


def _facet(name: str, body: str | None) -> Facets:
    return {name: msgspec.Raw(body.encode())} if body else {}


def _jobs(
    tx: Transaction, lister: Lister, inherit: bool, cut: Cut, of: dict[str, Any]
) -> Page[JobDetail]:
    listed = lister(tx, limit=cut.limit, offset=cut.offset, **of)
    return Page(tuple(describe_jobs(tx, listed.keys, inherit)), listed.total)


def _runs(
    tx: Transaction, lister: Lister, inherit: bool, cut: Cut, of: dict[str, Any]
) -> Page[RunDetail]:
    listed = lister(tx, limit=cut.limit, offset=cut.offset, **of)
    return Page(tuple(describe_runs(tx, listed.keys, inherit)), listed.total)
