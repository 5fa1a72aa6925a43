"""Single points of failure: jobs and datasets that much of what comes after hangs on alone."""

import msgspec
import networkx as nx

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.whole import flows_of, read_whole
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.lineage_graph import JobRow

_START = ""


class WeakPoint(msgspec.Struct, frozen=True):
    """A job or dataset, with how much comes after it, and how much of that through it alone.

    To what is counted as `only_through` it there is no other way from where data begins. Without
    what is a `bridge`, the lineage falls apart.
    """

    kind: str
    namespace: str
    name: str
    only_through: int
    downstream: int
    is_bridge: bool


def find_weak_points(graph: Graph, level: Level = "task", limit: int = 20) -> list[WeakPoint]:
    """Return what most hangs on alone, the worst first."""
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
    """Return for each node how many others can be reached from the beginnings through it alone.

    Data begins where nothing comes before, and in a circle that nothing comes before at each node.
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
