"""Lineage of one job or dataset, or of a namespace, with the details of each node."""

from collections.abc import Callable, Iterable, Set
from datetime import datetime
from functools import partial

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction, read_in_parts
from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_datasets
from lineagegraph.queries.datasets.datasets_at import datasets_at
from lineagegraph.queries.jobs.job_details import JobDetail, describe_jobs
from lineagegraph.queries.jobs.jobs_at import describe_past_runs, jobs_at
from lineagegraph.queries.lineage.collapse import group
from lineagegraph.queries.lineage.lineage import (
    Reach,
    cut_to,
    reach,
    reach_namespace,
    with_nodes,
)
from lineagegraph.queries.lineage.window import Window, flows_of, newest_by_value, newest_of, within
from lineagegraph.queries.runs.run_details import RunDetail, list_runs
from lineagegraph.store.datasets.names import shown_names
from lineagegraph.store.jobs.details import Named, list_writes
from lineagegraph.store.lineage.lineage import FlowRow


def jobs_within(tx: Transaction, keys: list[str], inherit: bool, window: Window) -> list[JobDetail]:
    """Return jobs in the order of their keys."""
    jobs = describe_jobs(tx, keys, inherit, runs=1)
    if window.is_all:
        return jobs if window.at is None else jobs_at(tx, jobs, window.at, inherit)
    chosen = newest_of(tx, keys, window)
    if window.at is not None:
        jobs = jobs_at(tx, jobs, window.at, inherit, chosen)
    else:
        runs = {run.row.id: run for run in list_runs(tx, sorted(chosen.values()), inherit)}
        jobs = [
            msgspec.structs.replace(
                job, runs=tuple(runs[id_] for id_ in [chosen.get(job.row.key)] if id_ in runs)
            )
            for job in jobs
        ]
    flows = {(flow.source, flow.target) for flow in flows_of(tx, keys, window)}
    return [_only_used(job, flows) for job in jobs]


def _only_used(job: JobDetail, flows: set[tuple[str, str]]) -> JobDetail:
    """Return a job with only the inputs and outputs of some flows."""
    key = job.row.key
    row = msgspec.structs.replace(
        job.row,
        inputs=tuple(i for i in job.row.inputs if (dataset_key(i.namespace, i.name), key) in flows),
        outputs=tuple(
            o for o in job.row.outputs if (key, dataset_key(o.namespace, o.name)) in flows
        ),
    )
    return msgspec.structs.replace(job, row=row)


class RunFor(msgspec.Struct, frozen=True):
    """The newest run for a value of a partition key."""

    value: str
    run: RunDetail


def runs_by_value(
    tx: Transaction, keys: list[str], window: Window, part: str, inherit: bool
) -> dict[str, tuple[RunFor, ...]]:
    """Return the newest run for each value of a partition key, by job and by dataset."""
    newest = newest_by_value(tx, keys, window, part)
    ids = sorted({run for runs in newest.values() for run in runs.values()})
    details, writes = _runs_with_writes(tx, ids, window.at, inherit)
    found = {
        key: {value: details[run] for value, run in runs.items() if run in details}
        for key, runs in newest.items()
    }
    values = {run: value for runs in newest.values() for value, run in runs.items()}
    shown = shown_names(tx, (dataset for _, dataset in writes))
    for id_, dataset in writes:
        known = found.setdefault(shown[dataset], {})
        run, value = details[id_], values[id_]
        known[value] = max(known.get(value, run), run, key=_age)
    return {
        key: tuple(RunFor(value, run) for value, run in sorted(runs.items()))
        for key, runs in found.items()
    }


def _runs_with_writes(
    tx: Transaction, ids: list[str], at: datetime | None, inherit: bool
) -> tuple[dict[str, RunDetail], list[tuple[str, str]]]:
    """Return runs, now or at a time, and each with the datasets that it wrote by then."""
    if at is None:
        runs = {run.row.id: run for run in list_runs(tx, ids, inherit)}
        return runs, [(use.id, use.dataset) for use in list_writes(tx, ids=ids) if use.id in runs]
    past = describe_past_runs(tx, ids, at, inherit)
    writes = [(id_, key) for id_ in past.details for key in past.facts[id_].effective.outputs]
    return past.details, writes


def _age(run: RunDetail) -> tuple[str, str]:
    return (run.row.created_at.isoformat() if run.row.created_at else "", run.row.id)


Lacking = Callable[[list[str]], list[str]]
"""Returns those of some keys whose nodes are to be described; a caller may know the others."""
_MOST_NODES = 3000
# How far one has to look to see who else uses a group's datasets.
_NEIGHBOURS = 2
EVERY_RUN = Window()


class DescribedLineage(msgspec.Struct, frozen=True):
    """The nodes and the data flows between them, by key; `cut` if there are more.

    `by_value` has the newest run for each value, of jobs and of the datasets that these wrote.
    `known` has the keys of the nodes that the caller knows, which are not among the others.
    """

    jobs: list[JobDetail]
    datasets: list[DatasetDetail]
    edges: tuple[FlowRow, ...]
    roots: tuple[str, ...]
    cut: bool
    by_value: dict[str, tuple[RunFor, ...]] | None = None
    known: tuple[str, ...] = ()


def describe_lineage(
    graph: Graph,
    key: str,
    up: int,
    down: int,
    *,
    inherit: bool,
    as_group: bool = False,
    window: Window = EVERY_RUN,
    group_by: str | None = None,
    lacking: Lacking = list,
) -> DescribedLineage:
    """Return a node, up to `up` edges upstream of it and `down` edges downstream.

    A job stands for its whole subtree; `as_group` shows it in their place. If the window has a time
    `at`, the answer comes from all events up to then; else it only filters runs. Only nodes that
    are `lacking` are described. Raise `NotFound` if the node did not exist yet.
    """

    def work(tx: Transaction) -> DescribedLineage:
        found = (_grouped if as_group else _plain)(tx, key, up, down, window)
        keys, tables = lacking(sorted({*found.jobs, key})), lacking(found.datasets)
        jobs, datasets = _describe(graph, tx, keys, tables, inherit, window)
        if window.at is not None:
            datasets = datasets_at(tx, datasets, window.at)
            _check_known((key, *found.roots), jobs, datasets, window.at)
        if as_group:
            names = {one.row.key: Named(one.row.namespace, one.row.name) for one in datasets}
            jobs = [_across(job, found, names) if job.row.key == key else job for job in jobs]
        by_value = None if group_by is None else runs_by_value(tx, keys, window, group_by, inherit)
        known = {key, *found.jobs, *found.datasets}.difference(keys, tables)
        shown = _shown(jobs, datasets, found, by_value, known)
        if not shown.roots:
            raise NotFound("this node is no longer in the graph")
        return shown

    return graph.read(work)


def describe_namespace(
    graph: Graph,
    namespace: str,
    up: int,
    down: int,
    *,
    inherit: bool,
    window: Window = EVERY_RUN,
    group_by: str | None = None,
    lacking: Lacking = list,
) -> DescribedLineage:
    """Return all jobs and datasets of a namespace, and the nodes up to `up` edges upstream and
    `down` edges downstream of any of them, as `describe_lineage` does for one node.

    Raise `NotFound` if there is no such namespace.
    """

    def work(tx: Transaction) -> DescribedLineage:
        found = reach_namespace(tx, namespace, up, down, _MOST_NODES, window.at, inherit=inherit)
        if not window.is_all:
            found = within(found, flows_of(tx, found.jobs, window), up, down)
        keys, tables = lacking(sorted(found.jobs)), lacking(found.datasets)
        jobs, datasets = _describe(graph, tx, keys, tables, inherit, window)
        if window.at is not None:
            jobs = [job for job in jobs if _was_known(job.created_at, window.at)]
            datasets = [one for one in datasets if _was_known(one.row.first_seen, window.at)]
            datasets = datasets_at(tx, datasets, window.at)
        by_value = None if group_by is None else runs_by_value(tx, keys, window, group_by, inherit)
        known = {*found.jobs, *found.datasets}.difference(keys, tables)
        return _shown(jobs, datasets, found, by_value, known)

    return graph.read(work)


def _describe(
    graph: Graph,
    tx: Transaction,
    jobs: list[str],
    datasets: list[str],
    inherit: bool,
    window: Window,
) -> tuple[list[JobDetail], list[DatasetDetail]]:
    of_window = partial(jobs_within, inherit=inherit, window=window)
    return (
        read_in_parts(graph, tx, of_window, jobs),
        read_in_parts(graph, tx, describe_datasets, datasets),
    )


def _shown(
    jobs: list[JobDetail],
    datasets: list[DatasetDetail],
    found: Reach,
    by_value: dict[str, tuple[RunFor, ...]] | None,
    known: Set[str],
) -> DescribedLineage:
    """Return nodes with the edges between them: some that the walk found may be gone by now."""
    shown = {job.row.key for job in jobs} | {one.row.key for one in datasets} | known
    edges = tuple(edge for edge in found.edges if {edge.source, edge.target} <= shown)
    roots = tuple(root for root in found.roots if root in shown)
    return DescribedLineage(jobs, datasets, edges, roots, found.cut, by_value, tuple(known))


def _was_known(since: datetime | None, at: datetime) -> bool:
    return since is None or since <= at


def _plain(tx: Transaction, key: str, up: int, down: int, window: Window) -> Reach:
    found = reach(tx, key, up, down, _MOST_NODES, window.at)
    if window.is_all:
        return found
    return within(found, flows_of(tx, found.jobs, window), up, down)


def _grouped(tx: Transaction, key: str, up: int, down: int, window: Window) -> Reach:
    around = _plain(tx, key, max(up, _NEIGHBOURS), max(down, _NEIGHBOURS), window)
    found = cut_to(group(tx, with_nodes(tx, around), key), up, down)
    return Reach(
        jobs=[job.key for job in found.jobs],
        datasets=[dataset.key for dataset in found.datasets],
        edges=found.edges,
        roots=found.roots,
        cut=found.cut,
    )


def _check_known(
    keys: Iterable[str], jobs: list[JobDetail], datasets: list[DatasetDetail], at: datetime
) -> None:
    since = {job.row.key: job.created_at for job in jobs}
    since |= {one.row.key: one.row.first_seen for one in datasets}
    # A dataset can be shown under another name than the one that was asked for.
    first = next((since[key] for key in keys if key in since), None)
    if first is not None and first > at:
        raise NotFound(f"this node did not exist yet at {at.isoformat()}: it exists since {first}")


def _across(job: JobDetail, found: Reach, names: dict[str, Named]) -> JobDetail:
    """Return a group with the inputs and outputs of all its jobs."""
    row = msgspec.structs.replace(
        job.row,
        inputs=_sorted(
            names[edge.source]
            for edge in found.edges
            if edge.target == job.row.key and edge.source in names
        ),
        outputs=_sorted(
            names[edge.target]
            for edge in found.edges
            if edge.source == job.row.key and edge.target in names
        ),
    )
    return msgspec.structs.replace(job, row=row)


def _sorted(names: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(sorted(names, key=lambda one: (one.namespace, one.name)))
