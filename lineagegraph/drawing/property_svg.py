"""Any nodes and relationships as one SVG picture, in the style of the lineage graph."""

from collections.abc import Iterator
from html import escape

import networkx as nx

from lineagegraph.drawing.dot import quoted as quoted_dot
from lineagegraph.drawing.layout import BoxPosition, Link, Size, lay_out
from lineagegraph.drawing.mermaid import quoted as quoted_mermaid
from lineagegraph.drawing.svg_sheet import LETTER, SMALL_LETTER, draw_line, draw_sheet, short
from lineagegraph.model.property_graph import Node, PropertyGraph, Relationship

_NAMES = ("fqn", "name", "simple_name", "title", "text", "id", "key")


def caption_of(node: Node) -> str:
    """Return the caption of a node: its name property, or else its labels."""
    named = (str(node.properties[name]) for name in _NAMES if node.properties.get(name))
    return next(named, ":".join(node.labels) or "?")


def property_mermaid(graph: PropertyGraph) -> str:
    """Return the text of a flowchart."""
    ids = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    nodes = [f"  {ids[one.id]}[{quoted_mermaid(caption_of(one))}]" for one in graph.nodes]
    edges = [
        f"  {ids[one.source]} -->|{quoted_mermaid(one.type)}| {ids[one.target]}"
        for one in graph.relationships
    ]
    return "\n".join(("flowchart LR", *nodes, *edges)) + "\n"


def property_dot(graph: PropertyGraph) -> str:
    """Return the text of a digraph."""
    nodes = [
        f"  {quoted_dot(one.id)} [label={quoted_dot(caption_of(one))}];" for one in graph.nodes
    ]
    edges = [
        f"  {quoted_dot(one.source)} -> {quoted_dot(one.target)} [label={quoted_dot(one.type)}];"
        for one in graph.relationships
    ]
    return "\n".join(("digraph answer {", "  rankdir=LR;", *nodes, *edges, "}")) + "\n"


def property_networkx(graph: PropertyGraph) -> "nx.MultiDiGraph[str]":
    """Return the graph with the ids as its nodes, and labels, type and properties as data."""
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in graph.nodes:
        data = {"labels": node.labels, "caption": caption_of(node), "properties": node.properties}
        network.add_node(node.id, **data)
    for one in graph.relationships:
        network.add_edge(one.source, one.target, type=one.type, properties=one.properties)
    return network


_HEIGHT = 48.0
_KINDS = {"Job": "job", "Dataset": "dataset"}


def property_svg(graph: PropertyGraph) -> str:
    """Draw every node with its labels, and every relationship between two of them."""
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


def _line(one: Relationship, route: list[BoxPosition]) -> Iterator[str]:
    (start, end) = route[(len(route) - 1) // 2 : (len(route) - 1) // 2 + 2]
    x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
    yield draw_line(route, "flow", f"{one.type} {_said(one.properties)}".strip())
    yield f'<text class="type-of" x="{x:.1f}" y="{y - 5:.1f}">{escape(short(one.type, 18))}</text>'


def _box(node: Node, middle: BoxPosition, size: Size) -> str:
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
