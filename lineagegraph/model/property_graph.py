"""Nodes, relationships and paths as values, as a query's answer has them."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A node with its labels and properties; `id` tells it from others in one answer."""

    id: str
    labels: tuple[str, ...]
    properties: dict[str, Any]


class Relationship(msgspec.Struct, frozen=True):
    """A relationship; `source` and `target` are the ids of its nodes."""

    id: str
    type: str
    source: str
    target: str
    properties: dict[str, Any]


class Path(msgspec.Struct, frozen=True):
    """A way through the graph: one node more than relationships."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


class Point(msgspec.Struct, frozen=True):
    """A place: two or three coordinates in the reference system of a number."""

    srid: int
    coordinates: tuple[float, ...]


class PropertyGraph(msgspec.Struct, frozen=True):
    """Nodes, and the relationships whose both ends are among them."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


def graph_in(values: Iterable[Any]) -> PropertyGraph:
    """Return the nodes and relationships in values, each once, in the order that they come.

    Of a node that nobody returned, only a relationship, nothing is known but its id.
    """
    nodes: dict[str, Node] = {}
    relationships: dict[str, Relationship] = {}
    for part in _parts(values):
        if isinstance(part, Node):
            nodes.setdefault(part.id, part)
        else:
            relationships.setdefault(part.id, part)
    for one in relationships.values():
        for end in (one.source, one.target):
            nodes.setdefault(end, Node(end, (), {}))
    return PropertyGraph(tuple(nodes.values()), tuple(relationships.values()))


def _parts(values: Iterable[Any]) -> Iterator[Node | Relationship]:
    for value in values:
        match value:
            case Node() | Relationship():
                yield value
            case Path():
                yield from value.nodes
                yield from value.relationships
            case list():
                yield from _parts(value)
            case dict():
                yield from _parts(value.values())
