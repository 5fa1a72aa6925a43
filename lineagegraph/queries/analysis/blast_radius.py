"""The blast radius of a job or dataset: everything made from it, and the owners."""

import msgspec
import networkx as nx

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.analysis.owners import Owned, owners_of
from lineagegraph.queries.analysis.whole import flows_of
from lineagegraph.queries.find.find import NamedNode, find_node, node_id
from lineagegraph.queries.lineage.collapse import collapse
from lineagegraph.queries.lineage.column_node import MOST_COLUMNS
from lineagegraph.queries.lineage.columns import BOTH, column_graph
from lineagegraph.queries.lineage.lineage import EVERYTHING, walk_from
from lineagegraph.queries.lineage.lineage_graph import LineageGraph

_MOST = 3000


class AffectedNode(msgspec.Struct, frozen=True):
    """An affected job or dataset, `distance` edges away, and its owners.

    `columns` are a dataset's columns known to be made from columns of the faulty node.
    """

    kind: str
    namespace: str
    name: str
    distance: int
    columns: tuple[str, ...]
    owners: tuple[str, ...]


class BlastRadius(msgspec.Struct, frozen=True):
    """All affected nodes, nearest first; `cut` if there are more."""

    node: str
    hits: tuple[AffectedNode, ...]
    cut: bool


def read_blast_radius(graph: Graph, node: str) -> BlastRadius:
    """Return everything downstream of a job or dataset."""
    return graph.read(_read, find_node(graph, node))


def _read(tx: Transaction, node: NamedNode) -> BlastRadius:
    found = walk_from(tx, node.key, 0, EVERYTHING, _MOST)
    tasks = collapse(tx, found, "task")
    distances = _distances(tasks)
    columns = _columns(tx, found)
    owners = owners_of(
        tx, [job.key for job in tasks.jobs], [dataset.key for dataset in tasks.datasets]
    )
    hits = [_hit(owners[key], distances[key], columns.get(key, ())) for key in distances]
    hits.sort(key=lambda hit: (hit.distance, hit.kind, hit.name, hit.namespace))
    return BlastRadius(node_id(node), tuple(hits), found.cut)


def _distances(graph: LineageGraph) -> dict[str, int]:
    """Return the distance of each downstream node, by key."""
    flows = flows_of(graph)
    roots = [root for root in graph.roots if root in flows]
    return {
        key: distance
        for distance, layer in enumerate(nx.bfs_layers(flows, roots))
        for key in layer
        if distance
    }


def _columns(tx: Transaction, found: LineageGraph) -> dict[str, tuple[str, ...]]:
    """Return the columns made from those of the faulty node, by dataset."""
    roots = set(found.roots)
    written = {edge.target for edge in found.edges if edge.source in roots}
    starts = [one for one in found.datasets if one.key in roots | written]
    keys = [column.key for dataset in starts for column in dataset.columns]
    after = column_graph(tx, keys, 0, EVERYTHING, BOTH, MOST_COLUMNS)
    return {one.key: tuple(column.name for column in one.columns) for one in after.datasets}


def _hit(owned: Owned, distance: int, columns: tuple[str, ...]) -> AffectedNode:
    return AffectedNode(owned.kind, owned.namespace, owned.name, distance, columns, owned.owners)
