"""The lineage of the whole graph at the level of tasks or pipelines."""

import networkx as nx

from lineagegraph.graph import Transaction
from lineagegraph.queries.lineage.collapse import Level, collapse
from lineagegraph.queries.lineage.lineage import Reach, with_nodes
from lineagegraph.queries.lineage.lineage_graph import LineageGraph
from lineagegraph.store.lineage.lineage import FlowRow, list_flow_ends, list_joined


def read_whole(tx: Transaction, level: Level) -> LineageGraph:
    """Return all jobs and datasets with data flows, with tasks or pipelines as the jobs."""
    nodes = list_joined(tx)
    jobs = [node.key for node in nodes if node.is_job]
    datasets = [node.key for node in nodes if not node.is_job]
    ends = list_flow_ends(tx, jobs=jobs, datasets=datasets, at=None)
    edges = tuple(FlowRow(end.source, end.target) for end in ends)
    found = Reach(jobs=jobs, datasets=datasets, edges=edges, roots=(), cut=False)
    return collapse(tx, with_nodes(tx, found), level)


def flows_of(graph: LineageGraph) -> "nx.DiGraph[str]":
    """Return a graph's nodes, by key, and the data flow between them."""
    flows: nx.DiGraph[str] = nx.DiGraph((edge.source, edge.target) for edge in graph.edges)
    flows.add_nodes_from(node.key for node in graph.nodes)
    return flows
