"""Layers of a drawing: every edge points to the right, and few edges cross."""

from bisect import bisect_right, insort
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import networkx as nx

K = TypeVar("K", bound=Hashable)


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
    layers: list[list[int]],
    edges: Sequence[tuple[int, int]],
    sweeps: int,
    fixed: Mapping[int, float],
) -> list[list[int]]:
    """Order each layer by the mean position of its neighbours, in sweeps, and keep the best order.

    Spots are numbered from 0. Every edge must join neighbouring layers. Spots in `fixed` keep that
    order among themselves.
    """
    count = sum(map(len, layers))
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        after[source].append(target)
        before[target].append(source)
    best = current = [_keep_fixed(layer, fixed) for layer in layers]
    fewest = _crossings(current, after)
    for sweep in range(sweeps):
        if not fewest:
            break
        backwards = sweep % 2 == 1
        current = _swept(current, after if backwards else before, backwards, fixed)
        crossings = _crossings(current, after)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _swept(
    layers: list[list[int]],
    neighbours: Sequence[Sequence[int]],
    backwards: bool,
    fixed: Mapping[int, float],
) -> list[list[int]]:
    place = [0.0] * len(neighbours)
    swept = []
    for layer in reversed(layers) if backwards else layers:
        for position, spot in enumerate(layer):
            known = neighbours[spot]
            if known:
                place[spot] = sum([place[other] for other in known]) / len(known)
            else:
                place[spot] = (position + 0.5) / len(layer)
        ordered = _keep_fixed(sorted(layer, key=place.__getitem__), fixed)
        for position, spot in enumerate(ordered):
            place[spot] = (position + 0.5) / len(layer)
        swept.append(ordered)
    return swept[::-1] if backwards else swept


def _keep_fixed(layer: list[int], fixed: Mapping[int, float]) -> list[int]:
    if not fixed or not any(spot in fixed for spot in layer):
        return list(layer)
    kept = iter(sorted((spot for spot in layer if spot in fixed), key=fixed.__getitem__))
    return [next(kept) if spot in fixed else spot for spot in layer]


def _crossings(layers: list[list[int]], after: Sequence[Sequence[int]]) -> int:
    place = [0] * len(after)
    for layer in layers:
        for position, spot in enumerate(layer):
            place[spot] = position
    return sum(
        _inversions([end for spot in layer for end in sorted([place[n] for n in after[spot]])])
        for layer in layers
    )


def _inversions(ends: Sequence[int]) -> int:
    """Count pairs that are out of order."""
    found = 0
    seen: list[int] = []
    for end in ends:
        found += len(seen) - bisect_right(seen, end)
        insort(seen, end)
    return found


def _back_edges(flows: "nx.DiGraph[K]") -> list[tuple[K, K]]:
    """Return the edges to remove to break all cycles: the back edges of a depth-first search."""
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
