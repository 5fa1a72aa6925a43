"""Impact of a column: columns, datasets and jobs that depend on it, with the paths."""

from collections.abc import Iterable

import msgspec
import networkx as nx

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.datasets.last_statements import ALL_STATED, StatedFilter
from lineagegraph.queries.find.find import find_column
from lineagegraph.queries.lineage.column_node import MOST_COLUMNS
from lineagegraph.queries.lineage.columns import BOTH, column_graph
from lineagegraph.queries.lineage.lineage import EVERYTHING
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.lineage.lineage import ColumnRow, DatasetRow, JobRow


class AffectedColumn(msgspec.Struct, frozen=True):
    """A column that depends on another: `distance` edges away, through the jobs of `path`.

    It is `direct` if values flow all the way; else some step filters, joins, sorts or groups.
    """

    dataset: DatasetRow
    column: ColumnRow
    distance: int
    direct: bool
    path: tuple[JobRow, ...]


class AffectedDataset(msgspec.Struct, frozen=True):
    """A dataset with dependent columns, and the path to the nearest."""

    dataset: DatasetRow
    distance: int
    direct: bool


class AffectedJob(msgspec.Struct, frozen=True):
    """A job that writes dependent columns, and the distance of the nearest."""

    job: JobRow
    distance: int
    direct: bool


class Impact(msgspec.Struct, frozen=True):
    """Everything that depends on a column, nearest first; `cut` if there is more."""

    dataset: DatasetRow
    column: ColumnRow
    columns: tuple[AffectedColumn, ...]
    datasets: tuple[AffectedDataset, ...]
    jobs: tuple[AffectedJob, ...]
    cut: bool


def find_impact(graph: Graph, text: str, stated: StatedFilter = ALL_STATED) -> Impact:
    """Return everything that depends on `DATASET#COLUMN`."""
    return read_impact(graph, find_column(graph, text), stated)


def read_impact(graph: Graph, key: str, stated: StatedFilter = ALL_STATED) -> Impact:
    """Return everything that depends on the column of a key."""

    def work(tx: Transaction) -> Impact:
        return _impact(column_graph(tx, [key], 0, EVERYTHING, BOTH, MOST_COLUMNS, stated), key)

    return graph.read(work)


def _impact(found: LineageGraph, key: str) -> Impact:
    key = found.roots[0] if found.roots else key
    places = {c.key: (one, c) for one in found.datasets for c in one.columns}
    if key not in places:
        raise NotFound("the column is no longer in the graph")
    columns = _affected(found, key, places)
    return Impact(
        *places[key],
        columns=tuple(columns),
        datasets=tuple(_datasets(columns)),
        jobs=tuple(_jobs(found, columns)),
        cut=found.cut,
    )


def _affected(
    found: LineageGraph, key: str, places: dict[str, tuple[DatasetRow, ColumnRow]]
) -> list[AffectedColumn]:
    jobs = {job.key: job for job in found.jobs}
    flows: nx.DiGraph[str] = nx.DiGraph()
    values: nx.DiGraph[str] = nx.DiGraph()
    flows.add_node(key)
    values.add_node(key)
    by: dict[tuple[str, str], str] = {}
    for edge in found.derivations:
        flows.add_edge(edge.source, edge.target)
        by.setdefault((edge.source, edge.target), edge.job or "")
        if edge.type == "DIRECT":
            values.add_edge(edge.source, edge.target)
    paths = nx.single_source_shortest_path(flows, key)
    exact = nx.single_source_shortest_path(values, key)
    affected = [
        AffectedColumn(
            *places[end],
            distance=len(path) - 1,
            direct=end in exact,
            path=tuple(
                jobs[by[step]]
                for step in nx.utils.pairwise(exact.get(end, path))
                if by[step] in jobs
            ),
        )
        for end, path in paths.items()
        if end != key
    ]
    return sorted(affected, key=lambda one: (one.distance, one.dataset.name, one.column.name))


def _datasets(columns: Iterable[AffectedColumn]) -> list[AffectedDataset]:
    nearest: dict[str, AffectedDataset] = {}
    for one in columns:
        known = nearest.setdefault(
            one.dataset.key, AffectedDataset(one.dataset, one.distance, one.direct)
        )
        if one.direct and not known.direct:
            nearest[one.dataset.key] = msgspec.structs.replace(known, direct=True)
    return list(nearest.values())


def _jobs(found: LineageGraph, columns: Iterable[AffectedColumn]) -> list[AffectedJob]:
    """Return the jobs that make affected columns from the column or from affected ones."""
    known = {one.column.key: one for one in columns}
    nearest: dict[str, AffectedJob] = {}
    jobs = {job.key: job for job in found.jobs}
    edges = [edge for edge in found.derivations if edge.target in known and edge.job in jobs]
    for edge in sorted(edges, key=lambda edge: known[edge.target].distance):
        made = known[edge.target]
        job = nearest.setdefault(
            edge.job or "", AffectedJob(jobs[edge.job or ""], made.distance, made.direct)
        )
        if made.direct and not job.direct:
            nearest[edge.job or ""] = msgspec.structs.replace(job, direct=True)
    return list(nearest.values())
