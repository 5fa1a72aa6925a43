"""Lineage in pieces: the neighbourhood of a node, and extensions of it."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.find.find import find_node_or_column
from lineagegraph.queries.lineage.columns import BOTH, between_shown, column_graph, keys_of
from lineagegraph.queries.lineage.lineage import EVERYTHING, Reach, as_of, reach, with_nodes
from lineagegraph.queries.lineage.lineage_graph import FlowRow, LineageGraph
from lineagegraph.store.lineage.lineage import (
    FlowCounts,
    get_latest_job,
    list_dataset_nodes,
    list_derivations,
    list_flow_counts,
    list_flow_ends,
    list_flow_nodes,
    list_near_columns,
    list_orders,
)


class Neighbourhood(msgspec.Struct, frozen=True):
    """A piece of lineage, and the numbers of neighbours of each node, shown or not.

    If all nodes were asked for, `latest` is the key of the job that ran last.
    """

    graph: LineageGraph
    counts: tuple[FlowCounts, ...] = ()
    latest: str | None = None


class KnownKeys(msgspec.Struct, frozen=True):
    """The keys of the nodes that are already shown."""

    jobs: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()


def read_neighbourhood(
    graph: Graph, node: str, *, up: int, down: int, limit: int, at: datetime | None = None
) -> Neighbourhood:
    """Return up to `up` edges upstream and `down` downstream of a node, or of all nodes.

    Of more than `limit` nodes in all, it returns those around the job that ran last.
    """
    if not node:
        return graph.read(_everything, up, down, limit, at)
    return graph.read(_around, find_node_or_column(graph, node).node.key, up, down, limit, at)


def read_more(
    graph: Graph,
    key: str,
    known: KnownKeys,
    *,
    up: int,
    down: int,
    limit: int,
    at: datetime | None = None,
) -> Neighbourhood:
    """Return the unknown neighbours of the node of a key, with their edges to known nodes."""

    def work(tx: Transaction) -> Neighbourhood:
        found = reach(tx, key, up, down, limit, at)
        jobs, datasets = _new(found.jobs, known.jobs), _new(found.datasets, known.datasets)
        new = {*jobs, *datasets}
        edges = _edges(tx, [*known.jobs, *jobs], [*known.datasets, *datasets], at)
        touching = tuple(edge for edge in edges if {edge.source, edge.target} & new)
        more = Reach(jobs=jobs, datasets=datasets, edges=touching, roots=(), cut=found.cut)
        return _counted(tx, more, at)

    return graph.read(work)


def _around(
    tx: Transaction, key: str, up: int, down: int, limit: int, at: datetime | None
) -> Neighbourhood:
    return _counted(tx, reach(tx, key, up, down, limit, at), at)


def _everything(
    tx: Transaction, up: int, down: int, limit: int, at: datetime | None
) -> Neighbourhood:
    nodes = list_flow_nodes(tx, limit=limit, at=at)
    latest = get_latest_job(tx, at=at)
    cut = len(nodes) >= limit
    if cut and latest:
        found = _around(tx, latest, up, down, limit, at)
        graph = msgspec.structs.replace(found.graph, cut=True)
        return msgspec.structs.replace(found, graph=graph, latest=latest)
    jobs = [node.key for node in nodes if node.is_job]
    datasets = [node.key for node in nodes if not node.is_job]
    edges = tuple(_edges(tx, jobs, datasets, at))
    whole = Reach(jobs=jobs, datasets=datasets, edges=edges, roots=(), cut=cut)
    return msgspec.structs.replace(_counted(tx, whole, at), latest=latest)


def _edges(
    tx: Transaction, jobs: list[str], datasets: list[str], at: datetime | None
) -> list[FlowRow]:
    ends = list_flow_ends(tx, jobs=jobs, datasets=datasets, at=at)
    shown = set(jobs)
    orders = list_orders(tx, jobs=jobs) if at is None else []
    return [
        *(FlowRow(end.source, end.target) for end in ends),
        *(FlowRow(one.source, one.target) for one in orders if {one.source, one.target} <= shown),
    ]


def _counted(tx: Transaction, found: Reach, at: datetime | None) -> Neighbourhood:
    graph = with_nodes(tx, found)
    counts = list_flow_counts(tx, keys=[*found.jobs, *found.datasets], at=at)
    return Neighbourhood(graph if at is None else as_of(tx, graph, at), tuple(counts))


def _new(found: Sequence[str], known: Sequence[str]) -> list[str]:
    shown = set(known)
    return [key for key in found if key not in shown]


def read_columns(graph: Graph, datasets: list[str]) -> LineageGraph:
    """Return datasets with all their columns, and the derivations between these."""

    def work(tx: Transaction) -> LineageGraph:
        found = list_dataset_nodes(tx, keys=datasets)
        keys = [column.key for dataset in found for column in dataset.columns]
        near = list_near_columns(tx, keys=keys)
        shown = {key: column.key for column in near for key in keys_of(column)}
        all_of = list_derivations(tx, keys=list(shown), types=list(BOTH), since=None)
        between = tuple(between_shown(all_of, shown))
        return LineageGraph(nodes=tuple(found), edges=(), derivations=between, by_column=True)

    return graph.read(work)


def trace_column(graph: Graph, column: str, limit: int) -> Neighbourhood:
    """Return all columns upstream and downstream of a column, by key."""

    def work(tx: Transaction) -> Neighbourhood:
        found = column_graph(tx, [column], EVERYTHING, EVERYTHING, BOTH[:1], limit)
        counts = list_flow_counts(tx, keys=[node.key for node in found.nodes], at=None)
        return Neighbourhood(found, tuple(counts))

    return graph.read(work)
