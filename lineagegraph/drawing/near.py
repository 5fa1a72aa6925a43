"""The part of a lineage graph near the requested nodes."""

from collections import deque
from collections.abc import Iterator

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
    beside: dict[str, list[str]] = {}
    for edge in graph.edges:
        beside.setdefault(edge.source, []).append(edge.target)
        beside.setdefault(edge.target, []).append(edge.source)
    found = dict.fromkeys(graph.roots, 0)
    waiting = deque(found)
    while waiting:
        key = waiting.popleft()
        for other in beside.get(key, ()):
            if other not in found:
                found[other] = found[key] + 1
                waiting.append(other)
    return found
