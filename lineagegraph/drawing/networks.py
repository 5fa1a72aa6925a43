"""Lineage graphs as networkx graphs."""

import msgspec
import networkx as nx

from lineagegraph.queries.lineage.lineage_graph import LineageGraph, node_ids


def to_networkx(graph: LineageGraph) -> "nx.MultiDiGraph[str]":
    """Return the graph with `job:NAMESPACE:NAME` and `dataset:NAMESPACE:NAME` as its nodes.

    Jobs with the same namespace and name have their UUIDs appended. By column, the nodes are
    `dataset:NAMESPACE:NAME#COLUMN`. Edges point in the direction of data flow.
    """
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    if graph.by_column:
        _add_columns(network, graph)
        return network
    ids = node_ids(graph)
    for node in graph.nodes:
        network.add_node(ids[node.key], **msgspec.to_builtins(node))
    for edge in graph.edges:
        network.add_edge(ids[edge.source], ids[edge.target], runs=edge.runs)
    return network


def _add_columns(network: "nx.MultiDiGraph[str]", graph: LineageGraph) -> None:
    nodes = node_ids(graph)
    ids = {c.key: f"{nodes[d.key]}#{c.name}" for d in graph.datasets for c in d.columns}
    network.add_nodes_from(ids.values())
    for edge in graph.derivations:
        network.add_edge(
            ids[edge.source],
            ids[edge.target],
            job=nodes.get(edge.job or ""),
            type=edge.type,
            subtype=edge.subtype,
        )
