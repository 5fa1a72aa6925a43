"""Lineage of one job or dataset, with all that belongs to each node."""

from collections.abc import Iterable

import msgspec

from lineagegraph.explore.dataset_details import DatasetDetail, describe_datasets
from lineagegraph.explore.group import group
from lineagegraph.explore.job_details import JobDetail, describe_jobs
from lineagegraph.explore.lineage import cut_to, walk_from
from lineagegraph.explore.lineage_graph import LineageGraph
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
    graph: Graph, key: str, up: int, down: int, *, inherit: bool, as_group: bool = False
) -> DescribedLineage:
    """Return what is up to `up` edges before and `down` edges after a node, and the node.

    A job stands for all jobs below it; `as_group` shows it in their place.
    """

    def work(tx: Transaction) -> DescribedLineage:
        found = _grouped(tx, key, up, down) if as_group else _plain(tx, key, up, down)
        jobs = [job.key for job in found.jobs]
        described = describe_jobs(tx, sorted({*jobs, key}), inherit, runs=1)
        datasets = describe_datasets(tx, [dataset.key for dataset in found.datasets])
        if as_group:
            described = [_across(job, found) if job.row.key == key else job for job in described]
        return DescribedLineage(described, datasets, found.edges, found.roots, found.cut)

    return graph.read(work)


def _plain(tx: Transaction, key: str, up: int, down: int) -> LineageGraph:
    return walk_from(tx, key, up, down, _MOST_NODES)


def _grouped(tx: Transaction, key: str, up: int, down: int) -> LineageGraph:
    around = walk_from(tx, key, max(up, _NEIGHBOURS), max(down, _NEIGHBOURS), _MOST_NODES)
    return cut_to(group(tx, around, key), up, down)


def _across(job: JobDetail, found: LineageGraph) -> JobDetail:
    """Return a group with the inputs and outputs of all in it."""
    names = {one.key: Named(one.namespace, one.name) for one in found.datasets}
    row = msgspec.structs.replace(
        job.row,
        inputs=_sorted(names[edge.source] for edge in found.edges if edge.target == job.row.key),
        outputs=_sorted(names[edge.target] for edge in found.edges if edge.source == job.row.key),
    )
    return msgspec.structs.replace(job, row=row)


def _sorted(names: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(sorted(names, key=lambda one: (one.namespace, one.name)))
