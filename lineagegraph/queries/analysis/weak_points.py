"""Single points of failure: jobs and datasets on the only path to much of their downstream."""

import msgspec
import networkx as nx

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.whole import flows_of, read_whole
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.lineage_graph import JobRow

_START = ""


class WeakPoint(msgspec.Struct, frozen=True):
    """A job or dataset, the size of its downstream, and how much of it is reachable only through
    it.

    Nodes counted in `only_through` have no other path from a source of data. Removing a `bridge`
    disconnects the lineage.
    """

    kind: str
    namespace: str
    name: str
    only_through: int
    downstream: int
    is_bridge: bool


def find_weak_points(graph: Graph, level: Level = "task", limit: int = 20) -> list[WeakPoint]:
    """Return the nodes with the most dependants that have no other path, worst first."""
    found = graph.read(read_whole, level)
    flows = flows_of(found)
    alone, bridges = count_alone(flows), set(nx.articulation_points(flows.to_undirected()))
    points = [
        WeakPoint(
            "job" if isinstance(node, JobRow) else "dataset",
            node.namespace,
            node.name,
            alone[node.key],
            len(nx.descendants(flows, node.key)),
            node.key in bridges,
        )
        for node in found.nodes
        if alone.get(node.key)
    ]
    return sorted(points, key=lambda one: (-one.only_through, -one.downstream, one.name))[:limit]


def count_alone(flows: "nx.DiGraph[str]") -> dict[str, int]:
    """Return for each node how many others are reachable from the sources only through it.

    Sources are nodes without predecessors, and every node of a cycle without predecessors.
    """
    rooted = flows.copy()
    circles = nx.condensation(flows)
    for number, members in circles.nodes(data="members"):
        if not circles.in_degree(number):
            rooted.add_edges_from((_START, member) for member in members)
    if not flows:
        return {}
    dominators = {
        node: above for node, above in nx.immediate_dominators(rooted, _START).items() if above
    }
    below: nx.DiGraph[str] = nx.DiGraph((above, node) for node, above in dominators.items())
    return {node: len(nx.descendants(below, node)) if node in below else 0 for node in flows}
