"""The part of a lineage graph near the requested nodes."""

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from lineagegraph.queries.lineage.lineage_graph import LineageGraph


def narrowing(graph: LineageGraph) -> Iterator[LineageGraph]:
    """Yield the graph, and then its parts within fewer and fewer steps of the requested nodes."""
    yield graph
    owners = {column.key: dataset.key for dataset in graph.datasets for column in dataset.columns}
    # By column, lines go from dataset to dataset.
    lines = [
        *((edge.source, edge.target) for edge in graph.edges if not graph.by_column),
        *((owners[one.source], owners[one.target]) for one in graph.derivations),
    ]
    steps = _steps(lines, [owners.get(root, root) for root in graph.roots])
    for most in range(max(steps.values(), default=0) - 1, 0, -1):
        kept = {key for key, distance in steps.items() if distance <= most}
        yield replace(
            graph,
            nodes=tuple(node for node in graph.nodes if node.key in kept),
            edges=tuple(e for e in graph.edges if {e.source, e.target} <= kept),
            derivations=tuple(
                d for d in graph.derivations if {owners[d.source], owners[d.target]} <= kept
            ),
        )


def _steps(lines: list[tuple[str, str]], roots: list[str]) -> dict[str, int]:
    """Return the number of lines from each node to the requested ones, in either direction."""
    beside: dict[str, list[str]] = {}
    for source, target in lines:
        beside.setdefault(source, []).append(target)
        beside.setdefault(target, []).append(source)
    found = dict.fromkeys(roots, 0)
    waiting = deque(found)
    while waiting:
        key = waiting.popleft()
        for other in beside.get(key, ()):
            if other not in found:
                found[other] = found[key] + 1
                waiting.append(other)
    return found
