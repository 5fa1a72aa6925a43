"""Layers of a drawing: every edge goes to the right, and few edges cross."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import networkx as nx

K = TypeVar("K", bound=Hashable)
_SWEEPS = 12


def rank_nodes(nodes: Sequence[K], edges: Sequence[tuple[K, K]]) -> dict[K, int]:
    """Return the layer of each node; in a cycle, some edges go back.

    Nodes with no way in stand just before the first that needs them.
    """
    flows: nx.DiGraph[K] = nx.DiGraph()
    flows.add_nodes_from(nodes)
    flows.add_edges_from(edge for edge in edges if edge[0] != edge[1])
    flows.remove_edges_from(_back_edges(flows))
    ranks = {
        node: rank
        for rank, generation in enumerate(nx.topological_generations(flows))
        for node in generation
    }
    for node in nodes:
        if flows.in_degree(node) == 0 and flows.out_degree(node) > 0:
            ranks[node] = min(ranks[after] for after in flows.successors(node)) - 1
    return ranks


def order_layers(
    layers: list[list[K]], edges: Sequence[tuple[K, K]], fixed: Mapping[K, float] | None = None
) -> list[list[K]]:
    """Order each layer by the mean place of its neighbours, to and fro, and keep the best order.

    Every edge must join neighbouring layers. Nodes in `fixed` keep that order among themselves.
    """
    before: dict[K, list[K]] = {node: [] for layer in layers for node in layer}
    after: dict[K, list[K]] = {node: [] for layer in layers for node in layer}
    for source, target in edges:
        after[source].append(target)
        before[target].append(source)
    fixed = fixed or {}
    current = [_settled(layer, fixed) for layer in layers]
    best, fewest = current, _crossings(current, after)
    for sweep in range(_SWEEPS):
        current = _swept(current, before if sweep % 2 == 0 else after, sweep % 2 == 1, fixed)
        crossings = _crossings(current, after)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _swept(
    layers: list[list[K]],
    neighbours: Mapping[K, Sequence[K]],
    backwards: bool,
    fixed: Mapping[K, float],
) -> list[list[K]]:
    place: dict[K, float] = {}
    swept = []
    for layer in reversed(layers) if backwards else layers:
        spread = len(layer) or 1
        for position, node in enumerate(layer):
            known = [place[other] for other in neighbours[node] if other in place]
            place[node] = sum(known) / len(known) if known else (position + 0.5) / spread
        ordered = _settled(sorted(layer, key=place.__getitem__), fixed)
        place.update({node: (i + 0.5) / spread for i, node in enumerate(ordered)})
        swept.append(ordered)
    return swept[::-1] if backwards else swept


def _settled(layer: list[K], fixed: Mapping[K, float]) -> list[K]:
    if not any(node in fixed for node in layer):
        return list(layer)
    kept = iter(sorted((node for node in layer if node in fixed), key=fixed.__getitem__))
    return [next(kept) if node in fixed else node for node in layer]


def _crossings(layers: list[list[K]], after: Mapping[K, Sequence[K]]) -> int:
    place = {node: position for layer in layers for position, node in enumerate(layer)}
    return sum(
        _inversions([end for node in layer for end in sorted(place[n] for n in after[node])])
        for layer in layers
    )


def _inversions(ends: Sequence[int]) -> int:
    """Count pairs that are out of order, by a tree of counts."""
    counts = [0] * (max(ends, default=0) + 2)
    found = 0
    for seen, end in enumerate(ends):
        not_greater, position = 0, end + 1
        while position > 0:
            not_greater += counts[position]
            position -= position & -position
        found += seen - not_greater
        position = end + 1
        while position < len(counts):
            counts[position] += 1
            position += position & -position
    return found


def _back_edges(flows: "nx.DiGraph[K]") -> list[tuple[K, K]]:
    """Return edges without which there is no cycle: those that a depth-first search finds open."""
    open_nodes: set[K] = set()
    back = []
    for source, target, label in nx.dfs_labeled_edges(flows):
        if label == "forward":
            open_nodes.add(target)
        elif label == "reverse":
            open_nodes.discard(target)
        elif target in open_nodes:
            back.append((source, target))
    return back
