"""The part of a lineage graph near the requested nodes."""

from collections.abc import Iterator

import networkx as nx
from msgspec.structs import replace

from lineagegraph.queries.lineage.lineage_graph import LineageGraph


def narrowing(graph: LineageGraph) -> Iterator[LineageGraph]:
    """Yield the graph, and then its parts within fewer and fewer steps of the requested nodes."""
    yield graph
    steps = _steps(graph)
    for most in range(max(steps.values(), default=0) - 1, 0, -1):
        kept = {key for key, distance in steps.items() if distance <= most}
        yield replace(
            graph,
            nodes=tuple(node for node in graph.nodes if node.key in kept),
            edges=tuple(e for e in graph.edges if {e.source, e.target} <= kept),
        )


def _steps(graph: LineageGraph) -> dict[str, int]:
    """Return the number of edges from each node to the requested ones, in either direction."""
    beside: nx.Graph[str] = nx.Graph((edge.source, edge.target) for edge in graph.edges)
    beside.add_nodes_from(graph.roots)
    layers = nx.bfs_layers(beside, graph.roots)
    return {key: distance for distance, layer in enumerate(layers) for key in layer}
