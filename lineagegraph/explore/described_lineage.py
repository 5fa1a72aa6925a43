"""Lineage of one job or dataset, with all that belongs to each node."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.explore.dataset_details import DatasetDetail, describe_datasets
from lineagegraph.explore.datasets_at import datasets_at
from lineagegraph.explore.group import group
from lineagegraph.explore.job_details import JobDetail, describe_jobs
from lineagegraph.explore.jobs_at import jobs_at
from lineagegraph.explore.lineage import Reach, cut_to, reach, with_nodes
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.details import Named
from lineagegraph.store.lineage import FlowRow

_MOST_NODES = 3000
# How far one has to look to see who else uses a group's datasets.
_NEIGHBOURS = 2


class DescribedLineage(msgspec.Struct, frozen=True):
    """The nodes, and the data that flows between them by key; `cut` says that there is more."""

    jobs: list[JobDetail]
    datasets: list[DatasetDetail]
    edges: tuple[FlowRow, ...]
    roots: tuple[str, ...]
    cut: bool


def describe_lineage(
    graph: Graph,
    key: str,
    up: int,
    down: int,
    *,
    inherit: bool,
    as_group: bool = False,
    at: datetime | None = None,
) -> DescribedLineage:
    """Return what is up to `up` edges before and `down` edges after a node, and the node.

    A job stands for all jobs below it; `as_group` shows it in their place. With `at`, the answer
    is what all events up to that time say. Raises `NotFound` where the node was not known yet.
    """

    def work(tx: Transaction) -> DescribedLineage:
        found = _grouped(tx, key, up, down, at) if as_group else _plain(tx, key, up, down, at)
        jobs = describe_jobs(tx, sorted({*found.jobs, key}), inherit, runs=1)
        datasets = describe_datasets(tx, found.datasets)
        if at is not None:
            jobs, datasets = jobs_at(tx, jobs, at, inherit), datasets_at(tx, datasets, at)
            _check_known(key, jobs, datasets, at)
        if as_group:
            names = {one.row.key: Named(one.row.namespace, one.row.name) for one in datasets}
            jobs = [_across(job, found, names) if job.row.key == key else job for job in jobs]
        return DescribedLineage(jobs, datasets, found.edges, found.roots, found.cut)

    return graph.read(work)


def _plain(tx: Transaction, key: str, up: int, down: int, at: datetime | None) -> Reach:
    return reach(tx, key, up, down, _MOST_NODES, at)


def _grouped(tx: Transaction, key: str, up: int, down: int, at: datetime | None) -> Reach:
    around = reach(tx, key, max(up, _NEIGHBOURS), max(down, _NEIGHBOURS), _MOST_NODES, at)
    found = cut_to(group(tx, with_nodes(tx, around), key), up, down)
    return Reach(
        jobs=[job.key for job in found.jobs],
        datasets=[dataset.key for dataset in found.datasets],
        edges=found.edges,
        roots=found.roots,
        cut=found.cut,
    )


def _check_known(
    key: str, jobs: list[JobDetail], datasets: list[DatasetDetail], at: datetime
) -> None:
    since = {job.row.key: job.created_at for job in jobs}
    since |= {one.row.key: one.row.first_seen for one in datasets}
    first = since.get(key)
    if first is not None and first > at:
        raise NotFound(f"this was not known yet at {at.isoformat()}: it is since {first}")


def _across(job: JobDetail, found: Reach, names: dict[str, Named]) -> JobDetail:
    """Return a group with the inputs and outputs of all in it."""
    row = msgspec.structs.replace(
        job.row,
        inputs=_sorted(names[edge.source] for edge in found.edges if edge.target == job.row.key),
        outputs=_sorted(names[edge.target] for edge in found.edges if edge.source == job.row.key),
    )
    return msgspec.structs.replace(job, row=row)


def _sorted(names: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(sorted(names, key=lambda one: (one.namespace, one.name)))
