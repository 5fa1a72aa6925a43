"""Lineage graphs as networkx graphs."""

import msgspec
import networkx as nx

from lineagegraph.queries.lineage.lineage_graph import LineageGraph, id_of


def to_networkx(graph: LineageGraph) -> "nx.MultiDiGraph[str]":
    """Return the graph with `job:NAMESPACE:NAME` and `dataset:NAMESPACE:NAME` as its nodes.

    By column, the nodes are `dataset:NAMESPACE:NAME#COLUMN`. Edges point in the direction of data
    flow.
    """
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    if graph.by_column:
        _add_columns(network, graph)
        return network
    ids = {node.key: id_of(node) for node in graph.nodes}
    for node in graph.nodes:
        network.add_node(ids[node.key], **msgspec.to_builtins(node))
    for edge in graph.edges:
        network.add_edge(ids[edge.source], ids[edge.target], runs=edge.runs)
    return network


def _add_columns(network: "nx.MultiDiGraph[str]", graph: LineageGraph) -> None:
    ids = {c.key: f"{id_of(d)}#{c.name}" for d in graph.datasets for c in d.columns}
    jobs = {job.key: id_of(job) for job in graph.jobs}
    network.add_nodes_from(ids.values())
    for edge in graph.derivations:
        network.add_edge(
            ids[edge.source],
            ids[edge.target],
            job=jobs.get(edge.job or ""),
            type=edge.type,
            subtype=edge.subtype,
        )
