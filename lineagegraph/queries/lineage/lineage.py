"""Lineage of jobs, datasets and columns, upstream and downstream."""

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import islice

import msgspec
import networkx as nx

from lineagegraph.errors import InvalidName
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.find.find import find_node_or_column
from lineagegraph.queries.jobs.jobs_at import StateAt, states_at
from lineagegraph.queries.lineage.collapse import Level, collapse
from lineagegraph.queries.lineage.columns import walk_columns
from lineagegraph.queries.lineage.lineage_graph import LineageGraph, Node
from lineagegraph.queries.lineage.namespace_walk import list_starts, walk_on
from lineagegraph.store.lineage.lineage import (
    FlowRow,
    JobRow,
    Reached,
    list_dataset_nodes,
    list_flow_ends,
    list_flows,
    list_job_nodes,
    list_next_downstream,
    list_next_upstream,
    list_orders,
    walk_downstream,
    walk_upstream,
)

EVERYTHING = 1_000_000
NAMESPACE_NODE = "namespace:"


class LineageScope(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the lineage of a node to return, and its level of detail."""

    up: int | None = None  # edges upstream; None for all
    down: int | None = None  # edges downstream; None for all
    columns: bool = False  # whether the edges are those of columns, as for `NODE#COLUMN`
    indirect: bool = False  # also columns used only to filter, join, sort or group
    # tasks or pipelines instead of the jobs inside them; edges are counted between those
    level: Level | None = None
    limit: int = 3000  # nodes in each direction
    # time of the states, and of the last flows; None for now; it does not apply to columns
    at: datetime | None = None
    # whether a namespace has the jobs below its jobs, too, instead of those of its own name
    inherit: bool = True


WHOLE_LINEAGE = LineageScope()


def walk_lineage(graph: Graph, node: str, scope: LineageScope = WHOLE_LINEAGE) -> LineageGraph:
    """Return the lineage upstream and downstream of a node; a job stands for its whole subtree.

    `namespace:NAME` stands for all jobs and datasets of a namespace.
    """
    if node.startswith(NAMESPACE_NODE):
        return _walk_from_namespace(graph, node.removeprefix(NAMESPACE_NODE), scope)
    place, level, limit, at = find_node_or_column(graph, node), scope.level, scope.limit, scope.at
    before, after = (EVERYTHING if steps is None else steps for steps in (scope.up, scope.down))
    if scope.columns or place.column is not None:
        found = graph.read(walk_columns, place, before, after, scope.indirect, limit)
        return found if level is None else graph.read(collapse, found, level)
    if level is None:
        return graph.read(walk_from, place.node.key, before, after, limit, at)
    all_before, all_after = (EVERYTHING if steps else 0 for steps in (before, after))
    found = graph.read(walk_from, place.node.key, all_before, all_after, limit, at)
    return cut_to(graph.read(_collapsed, found, level, at), before, after)


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs and datasets that a walk reached, by key, and the data flows between them."""

    jobs: list[str]
    datasets: list[str]
    edges: tuple[FlowRow, ...]
    roots: tuple[str, ...]
    cut: bool


def reach(
    tx: Transaction, key: str, up: int, down: int, limit: int, at: datetime | None = None
) -> Reach:
    """Return up to `up` edges upstream and `down` edges downstream of the node of a key.

    With `at`, only flows up to then are followed.
    """
    before = _walk(tx, walk_upstream, key, up, limit, at)
    after = _walk(tx, walk_downstream, key, down, limit, at)
    joined = _join(tx, before, after, _inside(before, up), _inside(after, down), limit, at)
    reached = {node.key: node for node in (*before, *after)}
    linked = {end for flow in joined.edges for end in (flow.source, flow.target)}
    roots = _roots(reached, linked, key)
    linked.update(roots)
    jobs = [job for job in joined.jobs if job in linked]
    found = msgspec.structs.replace(joined, jobs=jobs, roots=roots)
    return _cut_reach(found, up, down) if any(node.is_same for node in reached.values()) else found


def reach_namespace(
    tx: Transaction,
    namespace: str,
    up: int,
    down: int,
    limit: int,
    at: datetime | None = None,
    *,
    inherit: bool = True,
) -> Reach:
    """Return all jobs and datasets of a namespace, and the nodes up to `up` edges upstream and
    `down` edges downstream of any of them.

    Raise `NotFound` if there is no such namespace.
    """
    starts = list_starts(tx, namespace, limit, inherit=inherit)
    before = walk_on(tx, list_next_upstream, starts, up, limit, at)
    after = walk_on(tx, list_next_downstream, starts, down, limit, at)
    found = _join(tx, before, after, _inside(before, up), _inside(after, down), limit, at)
    return msgspec.structs.replace(found, roots=tuple(start.key for start in starts))


def _join(
    tx: Transaction,
    before: list[Reached],
    after: list[Reached],
    ordered_before: set[str],
    ordered_after: set[str],
    limit: int,
    at: datetime | None,
) -> Reach:
    """Return the nodes of two walks with the edges between them, without roots."""
    reached = {node.key: node for node in (*before, *after)}
    jobs = [node.key for node in reached.values() if node.is_job]
    datasets = [node.key for node in reached.values() if not node.is_job]
    ends = list_flow_ends(tx, jobs=jobs, datasets=datasets, at=at)
    flows = tuple(FlowRow(flow.source, flow.target) for flow in ends)
    if at is None:
        orders = _orders(tx, jobs, ordered_before, ordered_after)
        ordered = dict.fromkeys(end for order in orders for end in (order.source, order.target))
        jobs = list(dict.fromkeys((*jobs, *ordered)))
        flows = (*flows, *orders)
    cut = max(len(before), len(after)) >= limit
    return Reach(jobs=jobs, datasets=datasets, edges=flows, roots=(), cut=cut)


def _inside(found: list[Reached], steps: int) -> set[str]:
    return {node.key for node in found if node.is_job and node.distance < steps}


def _orders(
    tx: Transaction, jobs: list[str], before: set[str], after: set[str]
) -> tuple[FlowRow, ...]:
    """Return the order of jobs: among those that were reached, and to the next ones outside.

    The walk does not go on from these: they have no data in common with it.
    """
    reached = set(jobs)
    return tuple(
        FlowRow(one.source, one.target)
        for one in list_orders(tx, jobs=jobs)
        if reached >= {one.source, one.target} or one.target in before or one.source in after
    )


def _walk(
    tx: Transaction,
    walk: Callable[..., list[Reached]],
    key: str,
    depth: int,
    limit: int,
    at: datetime | None,
) -> list[Reached]:
    """Return at least the nodes up to a depth: steps between datasets that are the same are free.

    Every second node is a dataset, so there is at most one such step for two edges, and one more.
    """
    found = walk(tx, key=key, depth=depth, limit=limit, at=at)
    if 0 < depth < EVERYTHING and any(node.is_same for node in found):
        found = walk(tx, key=key, depth=depth + depth // 2 + 1, limit=limit, at=at)
    return found


def _cut_reach(found: Reach, up: int, down: int) -> Reach:
    near = near_nodes(found.edges, found.roots, up, down)
    return Reach(
        jobs=[job for job in found.jobs if job in near],
        datasets=[dataset for dataset in found.datasets if dataset in near],
        edges=tuple(e for e in found.edges if e.source in near and e.target in near),
        roots=found.roots,
        cut=found.cut,
    )


def walk_from(
    tx: Transaction, key: str, up: int, down: int, limit: int, at: datetime | None = None
) -> LineageGraph:
    """Return the result of `reach` with its nodes, and the times and counts of its flows.

    The order of jobs has neither.
    """
    return _with_flows(tx, reach(tx, key, up, down, limit, at), at)


def _walk_from_namespace(graph: Graph, namespace: str, scope: LineageScope) -> LineageGraph:
    if scope.columns:
        raise InvalidName("lineage of columns starts at a job, a dataset or a column: name one")
    up, down = (EVERYTHING if steps is None else steps for steps in (scope.up, scope.down))
    walked = (up, down) if scope.level is None else (up and EVERYTHING, down and EVERYTHING)

    def work(tx: Transaction) -> LineageGraph:
        found = reach_namespace(
            tx, namespace, walked[0], walked[1], scope.limit, scope.at, inherit=scope.inherit
        )
        lineage = _with_flows(tx, found, scope.at)
        return lineage if scope.at is None else _known_then(lineage)

    found = graph.read(work)
    if scope.level is None:
        return found
    return cut_to(graph.read(_collapsed, found, scope.level, scope.at), up, down)


def _collapsed(
    tx: Transaction, graph: LineageGraph, level: Level, at: datetime | None
) -> LineageGraph:
    whole = collapse(tx, graph, level)
    return whole if at is None else as_of(tx, whole, at)


def _known_then(lineage: LineageGraph) -> LineageGraph:
    """Return the nodes of a namespace that had a run or a flow at the time of the states."""
    known = {end for flow in lineage.edges for end in (flow.source, flow.target)}
    known |= {job.key for job in lineage.jobs if job.state is not None}
    return msgspec.structs.replace(
        lineage,
        nodes=tuple(node for node in lineage.nodes if node.key in known),
        roots=tuple(root for root in lineage.roots if root in known),
    )


def _with_flows(tx: Transaction, found: Reach, at: datetime | None) -> LineageGraph:
    flows = list_flows(tx, jobs=found.jobs, datasets=found.datasets, at=at)
    datasets = set(found.datasets)
    orders = (edge for edge in found.edges if not {edge.source, edge.target} & datasets)
    graph = with_nodes(tx, msgspec.structs.replace(found, edges=(*flows, *orders)))
    return graph if at is None else as_of(tx, graph, at)


def as_of(tx: Transaction, graph: LineageGraph, at: datetime) -> LineageGraph:
    """Return a graph with the states of its jobs at a time; the quality of then is not known."""
    states = states_at(tx, [job.key for job in graph.jobs], at)
    jobs = (_job_as_of(job, states.get(job.key)) for job in graph.jobs)
    datasets = (msgspec.structs.replace(one, quality=None) for one in graph.datasets)
    return msgspec.structs.replace(graph, nodes=(*jobs, *datasets))


def _job_as_of(job: JobRow, then: StateAt | None) -> JobRow:
    state, is_incomplete = then or (None, False)
    return msgspec.structs.replace(job, state=state, is_incomplete=is_incomplete)


def with_nodes(tx: Transaction, found: Reach) -> LineageGraph:
    """Return a graph with its nodes, without edges to those that are gone since the walk."""
    nodes: tuple[Node, ...] = (
        *list_job_nodes(tx, keys=found.jobs),
        *list_dataset_nodes(tx, keys=found.datasets),
    )
    gone = {*found.jobs, *found.datasets} - {node.key for node in nodes}
    return LineageGraph(
        nodes=nodes,
        edges=tuple(e for e in found.edges if gone.isdisjoint((e.source, e.target))),
        roots=found.roots,
        cut=found.cut,
    )


def _roots(reached: dict[str, Reached], linked: set[str], key: str) -> tuple[str, ...]:
    starts = sorted(node.key for node in reached.values() if node.distance == 0)
    if key not in reached and len(starts) == 1:
        # It is a dataset that is shown under another name.
        return tuple(starts)
    return tuple(start for start in starts if start in linked) or (key,)


def cut_to(graph: LineageGraph, up: int, down: int) -> LineageGraph:
    """Return the part of a graph up to `up` edges upstream and `down` edges downstream of its
    roots.
    """
    near = near_nodes(graph.edges, graph.roots, up, down)
    return msgspec.structs.replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.key in near),
        edges=tuple(e for e in graph.edges if e.source in near and e.target in near),
    )


def near_nodes(edges: Iterable[FlowRow], roots: tuple[str, ...], up: int, down: int) -> set[str]:
    """Return the keys up to `up` edges upstream and `down` edges downstream of some nodes."""
    flows: nx.DiGraph[str] = nx.DiGraph((edge.source, edge.target) for edge in edges)
    flows.add_nodes_from(roots)
    return _near(flows.reverse(), roots, up) | _near(flows, roots, down)


def _near(flows: "nx.DiGraph[str]", roots: tuple[str, ...], steps: int) -> set[str]:
    layers = islice(nx.bfs_layers(flows, roots), steps + 1)
    return {key for layer in layers for key in layer}
