"""A layered layout from left to right: positions of boxes and routes of lines."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lineagegraph.drawing.heights import Joint, stack_layers
from lineagegraph.drawing.layers import order_layers, rank_nodes

GAP = 76.0
_PORT_GAP = 34.0
_SWEEPS = 16
_MANY = 600
_SWEEPS_OF_MANY = 4


class BoxPosition(NamedTuple):
    """A position in the drawing."""

    x: float
    y: float


class Size(NamedTuple):
    """The size of a box; a port on a frame has no width."""

    width: float
    height: float


class Link(NamedTuple):
    """A line between boxes, with the offsets of its ends below their middles."""

    source: str
    target: str
    leaves: float = 0.0
    enters: float = 0.0


NO_PORTS: Mapping[str, float] = {}


class Layout(NamedTuple):
    """The middles of the boxes, and the points of each line, in the order of the links."""

    middles: dict[str, BoxPosition]
    routes: list[list[BoxPosition]]
    width: float
    height: float


def lay_out(
    sizes: Mapping[str, Size],
    links: Sequence[Link],
    left: Mapping[str, float] = NO_PORTS,
    right: Mapping[str, float] = NO_PORTS,
) -> Layout:
    """Place the boxes so that data flows to the right, with short lines and few crossings.

    `left` and `right` are boxes on the borders, ordered from the top. Lines over several layers
    that leave a box at the same point share their bends.
    """
    spots = _Spots(sizes, _ranks(sizes, links, left, right))
    bends = [spots.join(link) for link in links]
    borders = {spots.numbers[node]: y for side in (left, right) for node, y in side.items()}
    sweeps = _SWEEPS_OF_MANY if len(spots.layers) > _MANY else _SWEEPS
    steps = [(joint.left, joint.right) for joint in spots.joints]
    layers = order_layers(spots.by_layer(), steps, sweeps, borders)
    heights, bottom = stack_layers(layers, spots.joints, spots.heights, sweeps)
    columns = _columns(layers, list(sizes.values()))
    middles = {
        node: BoxPosition(columns[layer].x + columns[layer].y / 2, y)
        for node, layer, y in zip(sizes, spots.layers, heights, strict=False)
    }
    points = [
        (BoxPosition(columns[layer].x, y), BoxPosition(sum(columns[layer]), y))
        for layer, y in zip(spots.layers, heights, strict=True)
    ]
    routes = [
        _route(link, [points[bend] for bend in passed], middles, sizes)
        for link, passed in zip(links, bends, strict=True)
    ]
    return Layout(middles, routes, sum(columns[-1]) if columns else 0.0, bottom)


class _Spots:
    """The boxes, by number, followed by the bends of long lines."""

    def __init__(self, sizes: Mapping[str, Size], ranks: Mapping[str, int]) -> None:
        self.numbers = {node: number for number, node in enumerate(sizes)}
        self.layers = [ranks[node] for node in sizes]
        self.heights = [size.height for size in sizes.values()]
        self.joints: list[Joint] = []
        self._trunks: dict[tuple[int, float], list[int]] = {}

    def join(self, link: Link) -> list[int]:
        """Add a line and return its bends, from left to right."""
        source, target = self.numbers[link.source], self.numbers[link.target]
        left, right, out, into = source, target, link.leaves, link.enters
        if self.layers[source] > self.layers[target]:
            left, right, out, into = target, source, link.enters, link.leaves
        first, last = self.layers[left], self.layers[right]
        if first == last:
            return []
        trunk = self._trunks.setdefault((left, out), [])
        for layer in range(first + 1 + len(trunk), last):
            bend = len(self.layers)
            self.layers.append(layer)
            self.heights.append(0.0)
            self.joints.append(Joint(trunk[-1], bend, 0, 0) if trunk else Joint(left, bend, out, 0))
            trunk.append(bend)
        passed = trunk[: last - first - 1]
        end = Joint(passed[-1], right, 0, into) if passed else Joint(left, right, out, into)
        self.joints.append(end)
        return passed

    def by_layer(self) -> list[list[int]]:
        """Return the spots of each layer."""
        layers: list[list[int]] = [[] for _ in range(max(self.layers, default=-1) + 1)]
        for spot, layer in enumerate(self.layers):
            layers[layer].append(spot)
        return layers


def _ranks(
    sizes: Mapping[str, Size],
    links: Sequence[Link],
    left: Mapping[str, float],
    right: Mapping[str, float],
) -> dict[str, int]:
    inner = {node: None for node in sizes if node not in left and node not in right}
    pairs = [(link.source, link.target) for link in links]
    ranks = rank_nodes(list(inner), [(a, b) for a, b in pairs if a in inner and b in inner])
    first = min(ranks.values(), default=0) - bool(left)
    last = max(ranks.values(), default=0) + 1
    ranks |= dict.fromkeys(left, first) | dict.fromkeys(right, last)
    return {node: ranks[node] - first for node in sizes}


def _columns(layers: list[list[int]], sizes: Sequence[Size]) -> list[BoxPosition]:
    """Return the left edge and the width of each layer."""
    columns, x = [], 0.0
    for layer in layers:
        width = max((sizes[spot].width for spot in layer if spot < len(sizes)), default=0.0)
        columns.append(BoxPosition(x, width))
        x += width + (GAP if width else _PORT_GAP)
    return columns


def _route(
    link: Link,
    passed: list[tuple[BoxPosition, BoxPosition]],
    middles: Mapping[str, BoxPosition],
    sizes: Mapping[str, Size],
) -> list[BoxPosition]:
    start, end = middles[link.source], middles[link.target]
    bends = [point for pair in passed for point in pair]
    forward = start.x <= end.x
    side = 0.5 if forward else -0.5
    return [
        BoxPosition(start.x + side * sizes[link.source].width, start.y + link.leaves),
        *(bends if forward else reversed(bends)),
        BoxPosition(end.x - side * sizes[link.target].width, end.y + link.enters),
    ]
