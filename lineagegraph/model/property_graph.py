"""Nodes, relationships and paths of a query's answer as values."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A node with its labels and properties; `id` is unique in one answer."""

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
    """A path through the graph: one node more than relationships."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


class Point(msgspec.Struct, frozen=True):
    """A point: two or three coordinates in a numbered reference system."""

    srid: int
    coordinates: tuple[float, ...]


class PropertyGraph(msgspec.Struct, frozen=True):
    """Nodes, and the relationships whose ends are both among them."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...]


def graph_in(values: Iterable[Any]) -> PropertyGraph:
    """Return the nodes and relationships in values, each once, in order of appearance.

    A node that appears only as the end of a relationship has nothing but its id.
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
