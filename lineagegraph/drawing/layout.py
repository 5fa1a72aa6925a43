"""Where boxes stand and where the lines between them run, in layers from left to right."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from lineagegraph.drawing.heights import Joint, stack_layers
from lineagegraph.drawing.layers import order_layers, rank_nodes

GAP = 76.0
_PORT_GAP = 34.0


class Point(NamedTuple):
    """A place in the drawing."""

    x: float
    y: float


class Size(NamedTuple):
    """How large a box is; a port on a frame has no width."""

    width: float
    height: float


class Link(NamedTuple):
    """A line from box to box; it leaves and enters that far below their middles."""

    source: str
    target: str
    leaves: float = 0.0
    enters: float = 0.0


class Bend(NamedTuple):
    """Where a long line passes a layer."""

    link: int
    layer: int


Spot = str | Bend
NO_PORTS: Mapping[str, float] = {}


class Layout(NamedTuple):
    """The boxes' middles, and the points that each line goes through, in the links' order."""

    middles: dict[str, Point]
    routes: list[list[Point]]
    width: float
    height: float


def lay_out(
    sizes: Mapping[str, Size],
    links: Sequence[Link],
    left: Mapping[str, float] = NO_PORTS,
    right: Mapping[str, float] = NO_PORTS,
) -> Layout:
    """Place the boxes so that data flows to the right, with short lines and few crossings.

    `left` and `right` are boxes on the borders, with their order from the top.
    """
    ranks = _ranks(sizes, links, left, right)
    chains = [_chain(number, link, ranks) for number, link in enumerate(links)]
    borders: dict[Spot, float] = {node: y for side in (left, right) for node, y in side.items()}
    layers = order_layers(
        _layers(ranks, chains),
        [step for chain in chains for step in pairwise(chain)],
        borders,
    )
    joints = [j for link, chain in zip(links, chains, strict=True) for j in _joints(link, chain)]
    heights, bottom = stack_layers(layers, joints, lambda spot: _size(spot, sizes).height)
    columns = _columns(layers, sizes)
    middles = {
        node: Point(columns[rank].x + columns[rank].y / 2, heights[node])
        for node, rank in ranks.items()
    }
    routes = [
        _route(link, chain, middles, sizes, columns, heights)
        for link, chain in zip(links, chains, strict=True)
    ]
    return Layout(middles, routes, sum(columns[-1]) if columns else 0.0, bottom)


def _ranks(
    sizes: Mapping[str, Size],
    links: Sequence[Link],
    left: Mapping[str, float],
    right: Mapping[str, float],
) -> dict[str, int]:
    inner = [node for node in sizes if node not in left and node not in right]
    pairs = [(link.source, link.target) for link in links]
    ranks = rank_nodes(inner, [pair for pair in pairs if set(pair) <= set(inner)])
    first = min(ranks.values(), default=0) - bool(left)
    last = max(ranks.values(), default=0) + 1
    ranks |= dict.fromkeys(left, first) | dict.fromkeys(right, last)
    return {node: ranks[node] - first for node in sizes}


def _chain(number: int, link: Link, ranks: Mapping[str, int]) -> list[Spot]:
    """Return the spots from the lower layer to the higher, whichever way the data flows."""
    low, high = sorted((link.source, link.target), key=ranks.__getitem__)
    between = range(ranks[low] + 1, ranks[high])
    return [low, *(Bend(number, layer) for layer in between), high]


def _layers(ranks: Mapping[str, int], chains: list[list[Spot]]) -> list[list[Spot]]:
    layers: list[list[Spot]] = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    for node, rank in ranks.items():
        layers[rank].append(node)
    for chain in chains:
        for spot in chain:
            if isinstance(spot, Bend):
                layers[spot.layer].append(spot)
    return layers


def _joints(link: Link, chain: list[Spot]) -> list[Joint[Spot]]:
    return [
        Joint(low, high, _offset(link, low), _offset(link, high)) for low, high in pairwise(chain)
    ]


def _offset(link: Link, spot: Spot) -> float:
    return link.leaves if spot == link.source else link.enters if spot == link.target else 0.0


def _size(spot: Spot, sizes: Mapping[str, Size]) -> Size:
    return sizes[spot] if isinstance(spot, str) else Size(0, 0)


def _columns(layers: list[list[Spot]], sizes: Mapping[str, Size]) -> list[Point]:
    """Return where each layer begins, and its width."""
    columns, x = [], 0.0
    for layer in layers:
        width = max((_size(spot, sizes).width for spot in layer), default=0.0)
        columns.append(Point(x, width))
        x += width + (GAP if width else _PORT_GAP)
    return columns


def _route(
    link: Link,
    chain: list[Spot],
    middles: Mapping[str, Point],
    sizes: Mapping[str, Size],
    columns: list[Point],
    heights: Mapping[Spot, float],
) -> list[Point]:
    bends = []
    for spot in chain:
        if isinstance(spot, Bend):
            x, width = columns[spot.layer]
            bends += [Point(x, heights[spot]), Point(x + width, heights[spot])]
    forward = chain[0] == link.source
    side = 0.5 if forward else -0.5
    start, end = middles[link.source], middles[link.target]
    return [
        Point(start.x + side * sizes[link.source].width, start.y + link.leaves),
        *(bends if forward else reversed(bends)),
        Point(end.x - side * sizes[link.target].width, end.y + link.enters),
    ]
