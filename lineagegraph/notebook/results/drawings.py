"""How a graph is drawn and written, whichever kind of graph it is."""

from collections.abc import Callable
from typing import Any, NamedTuple

from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.networks import to_networkx
from lineagegraph.drawing.property_svg import (
    property_dot,
    property_mermaid,
    property_networkx,
    property_svg,
)
from lineagegraph.drawing.svg import to_cell_svg, to_svg
from lineagegraph.model.property_graph import PropertyGraph
from lineagegraph.queries.lineage.lineage_graph import LineageGraph

_MOST_DRAWN = 200
Drawable = LineageGraph | PropertyGraph


class Drawing(NamedTuple):
    """The ways to write one kind of graph."""

    svg: Callable[[Any], str]
    #: a picture for the cell of a notebook
    cell_svg: Callable[[Any], str]
    mermaid: Callable[[Any], str]
    dot: Callable[[Any], str]
    networkx: Callable[[Any], Any]


_LINEAGE = Drawing(to_svg, to_cell_svg, to_mermaid, to_dot, to_networkx)
_PROPERTIES = Drawing(property_svg, property_svg, property_mermaid, property_dot, property_networkx)


def drawing_of(graph: Drawable) -> Drawing:
    """Return the ways to write a graph."""
    return _LINEAGE if isinstance(graph, LineageGraph) else _PROPERTIES


def is_joined(graph: Drawable) -> bool:
    """Return whether a graph has an edge."""
    return bool(graph.edges if isinstance(graph, LineageGraph) else graph.relationships)


def is_small(graph: Drawable) -> bool:
    """Return whether a graph is small enough to draw at once."""
    return len(graph.nodes) <= _MOST_DRAWN
