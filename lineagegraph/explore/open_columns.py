"""Columns of a few datasets, or all on the way of one of them, with what joins them."""

from lineagegraph.explore.columns import BOTH, column_graph
from lineagegraph.explore.lineage import EVERYTHING
from lineagegraph.explore.lineage_graph import LineageGraph
from lineagegraph.explore.surroundings import Surroundings
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.lineage import list_dataset_nodes, list_derivations, list_flow_counts


def read_columns(graph: Graph, datasets: list[str]) -> LineageGraph:
    """Return datasets with all their columns, and which of these is computed from which."""

    def work(tx: Transaction) -> LineageGraph:
        found = list_dataset_nodes(tx, keys=datasets)
        keys = [column.key for dataset in found for column in dataset.columns]
        all_of = list_derivations(tx, keys=keys, types=list(BOTH))
        shown = set(keys)
        between = tuple(one for one in all_of if one.source in shown)
        return LineageGraph(nodes=tuple(found), edges=(), derivations=between, by_column=True)

    return graph.read(work)


def trace_column(graph: Graph, column: str, limit: int) -> Surroundings:
    """Return all columns that one, by key, is computed from, and all computed from it."""

    def work(tx: Transaction) -> Surroundings:
        found = column_graph(tx, [column], EVERYTHING, EVERYTHING, BOTH[:1], limit)
        counts = list_flow_counts(tx, keys=[node.key for node in found.nodes], at=None)
        return Surroundings(found, tuple(counts))

    return graph.read(work)
