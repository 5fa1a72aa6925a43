"""Nodes and relationships of any kind as one SVG picture, in the look of the lineage graph."""

from collections.abc import Iterator
from html import escape

from lineagegraph.explore.layout import Link, Point, Size, lay_out
from lineagegraph.explore.property_text import caption_of
from lineagegraph.explore.svg_sheet import LETTER, SMALL_LETTER, draw_line, draw_sheet, short
from lineagegraph.model.property_graph import Node, PropertyGraph, Relationship

_HEIGHT = 48.0
_KINDS = {"Job": "job", "Dataset": "dataset"}


def property_svg(graph: PropertyGraph) -> str:
    """Draw every node with its labels, and every relationship that joins two of them."""
    sizes = {node.id: _size(node) for node in graph.nodes}
    joins = [one for one in graph.relationships if one.source != one.target]
    layout = lay_out(sizes, [Link(one.source, one.target) for one in joins])
    lines = zip(joins, layout.routes, strict=True)
    parts = [
        *(part for one, route in lines for part in _line(one, route)),
        *(_box(node, layout.middles[node.id], sizes[node.id]) for node in graph.nodes),
    ]
    return draw_sheet("Nodes and relationships", layout.width, layout.height, parts)


def _size(node: Node) -> Size:
    longest = max(len(short(caption_of(node))) * LETTER, len(short(_labels(node))) * SMALL_LETTER)
    return Size(max(longest + 34, 90), _HEIGHT)


def _labels(node: Node) -> str:
    return " ".join(node.labels)


def _line(one: Relationship, route: list[Point]) -> Iterator[str]:
    (start, end) = route[(len(route) - 1) // 2 : (len(route) - 1) // 2 + 2]
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
    yield draw_line(route, "flow", f"{one.type} {_said(one.properties)}".strip())
    yield f'<text class="type-of" x="{x:.1f}" y="{y - 5:.1f}">{escape(short(one.type, 18))}</text>'


def _box(node: Node, middle: Point, size: Size) -> str:
    x, y = middle.x - size.width / 2, middle.y - size.height / 2
    kind = next((_KINDS[label] for label in node.labels if label in _KINDS), "other")
    return (
        f'<g class="{kind}" transform="translate({x:.1f} {y:.1f})">'
        f"<title>{escape(f'{_labels(node)} {_said(node.properties)}'.strip())}</title>"
        f'<rect class="box" width="{size.width:.1f}" height="{size.height:.1f}" rx="10"/>'
        f'<text class="name" x="17" y="21">{escape(short(caption_of(node)))}</text>'
        f'<text class="place" x="17" y="37">{escape(short(_labels(node)))}</text></g>'
    )


def _said(properties: dict[str, object]) -> str:
    return ", ".join(f"{name}: {short(str(value), 200)}" for name, value in properties.items())
