"""Boxes inside frames: a pipeline's jobs and the datasets between them are drawn together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lineagegraph.drawing.layout import BoxPosition, Layout, Link, Size, lay_out

PAD = 18.0
HEAD = 34.0
_PORT = Size(0.0, 12.0)
_ROUGH = Size(220.0, 60.0)


class JobFrame(NamedTuple):
    """The top left corner and the size of a frame."""

    corner: BoxPosition
    size: Size


class FramedLayout(NamedTuple):
    """A layout, and its frames by name."""

    layout: Layout
    frames: dict[str, JobFrame]


class _Inside(NamedTuple):
    """The layout inside a frame, with a port on its border for each connected box outside.

    `routes` has the parts of lines inside it, by the number of the link.
    """

    layout: Layout
    routes: dict[int, list[BoxPosition]]

    @property
    def size(self) -> Size:
        return Size(self.layout.width + 2 * PAD, self.layout.height + HEAD + PAD)

    def port(self, name: str) -> float:
        """Return the vertical offset of a port from the frame's middle."""
        return self.layout.middles[name].y + HEAD - self.size.height / 2


def lay_out_framed(
    sizes: Mapping[str, Size], links: Sequence[Link], frame_of: Mapping[str, str]
) -> FramedLayout:
    """Place boxes and their frames; no frame covers a box that is not in it."""
    owners = {node: f"frame {frame_of[node]}" if node in frame_of else node for node in sizes}
    between = [i for i, link in enumerate(links) if owners[link.source] != owners[link.target]]
    order = _rough_order(owners, [links[i] for i in between])
    insides = {
        owner: _lay_out_inside(owner, sizes, links, owners, order)
        for owner in dict.fromkeys(owners.values())
        if owner not in sizes
    }
    outer_sizes = {o: insides[o].size if o in insides else sizes[o] for o in owners.values()}
    outer = lay_out(outer_sizes, [_outer_link(links[i], owners, insides) for i in between])
    corners = {
        owner: BoxPosition(
            outer.middles[owner].x - inside.size.width / 2,
            outer.middles[owner].y - inside.size.height / 2,
        )
        for owner, inside in insides.items()
    }
    outer_routes = dict(zip(between, outer.routes, strict=True))
    layout = Layout(
        {node: _middle(node, owners[node], outer, insides, corners) for node in sizes},
        [
            _whole_route(number, link, owners, outer_routes, insides, corners)
            for number, link in enumerate(links)
        ],
        outer.width,
        outer.height,
    )
    frames = {owner: JobFrame(corners[owner], insides[owner].size) for owner in insides}
    return FramedLayout(layout, {o.removeprefix("frame "): frame for o, frame in frames.items()})


def _rough_order(owners: Mapping[str, str], links: Sequence[Link]) -> dict[str, float]:
    """Return an estimate of the vertical position of each frame and each box outside frames."""
    outer = [Link(owners[link.source], owners[link.target]) for link in links]
    middles = lay_out(dict.fromkeys(owners.values(), _ROUGH), outer).middles
    return {owner: middle.y for owner, middle in middles.items()}


def _lay_out_inside(
    frame: str,
    sizes: Mapping[str, Size],
    links: Sequence[Link],
    owners: Mapping[str, str],
    order: Mapping[str, float],
) -> _Inside:
    inner = {n: _inner_link(k, owners, frame) for n, k in enumerate(links) if _in(frame, k, owners)}
    left = {link.source: order[link.source[1:]] for link in inner.values() if link.source[0] == "<"}
    right = {
        link.target: order[link.target[1:]] for link in inner.values() if link.target[0] == ">"
    }
    boxes = {node: size for node, size in sizes.items() if owners[node] == frame}
    boxes |= dict.fromkeys((*left, *right), _PORT)
    layout = lay_out(boxes, list(inner.values()), left, right)
    return _Inside(layout, dict(zip(inner, layout.routes, strict=True)))


def _in(frame: str, link: Link, owners: Mapping[str, str]) -> bool:
    return frame in (owners[link.source], owners[link.target])


def _inner_link(link: Link, owners: Mapping[str, str], frame: str) -> Link:
    source, target = owners[link.source], owners[link.target]
    return Link(
        link.source if source == frame else f"<{source}",
        link.target if target == frame else f">{target}",
        link.leaves if source == frame else 0.0,
        link.enters if target == frame else 0.0,
    )


def _outer_link(link: Link, owners: Mapping[str, str], insides: Mapping[str, _Inside]) -> Link:
    source, target = owners[link.source], owners[link.target]
    return Link(
        source,
        target,
        insides[source].port(f">{target}") if source in insides else link.leaves,
        insides[target].port(f"<{source}") if target in insides else link.enters,
    )


def _middle(
    node: str,
    owner: str,
    outer: Layout,
    insides: Mapping[str, _Inside],
    corners: Mapping[str, BoxPosition],
) -> BoxPosition:
    if owner not in insides:
        return outer.middles[node]
    return _moved(insides[owner].layout.middles[node], corners[owner])


def _whole_route(
    number: int,
    link: Link,
    owners: Mapping[str, str],
    outer_routes: Mapping[int, list[BoxPosition]],
    insides: Mapping[str, _Inside],
    corners: Mapping[str, BoxPosition],
) -> list[BoxPosition]:
    source, target = owners[link.source], owners[link.target]
    route = [*outer_routes.get(number, ())]
    if source in insides:
        route = [*_piece(number, insides[source], corners[source]), *route]
    if target in insides and target != source:
        route += _piece(number, insides[target], corners[target])
    return route


def _piece(number: int, inside: _Inside, corner: BoxPosition) -> list[BoxPosition]:
    return [_moved(point, corner) for point in inside.routes[number]]


def _moved(point: BoxPosition, corner: BoxPosition) -> BoxPosition:
    return BoxPosition(point.x + corner.x + PAD, point.y + corner.y + HEAD)
