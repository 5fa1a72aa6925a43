"""Nodes and relationships of any kind as text, for Mermaid, Graphviz and networkx."""

import networkx as nx

from lineagegraph.explore.dot import quoted as quoted_dot
from lineagegraph.explore.mermaid import quoted as quoted_mermaid
from lineagegraph.model.property_graph import Node, PropertyGraph

_NAMES = ("fqn", "name", "simple_name", "title", "text", "id", "key")


def caption_of(node: Node) -> str:
    """Return what a node is called: a property that is a name, else its labels."""
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
