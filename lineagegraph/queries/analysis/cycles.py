"""Cycles in lineage: jobs that read, through other jobs, data that they write."""

import msgspec
import networkx as nx

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.whole import flows_of, read_whole
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.lineage_graph import node_ids


class Cycle(msgspec.Struct, frozen=True):
    """A shortest cycle in a strongly connected component, and the numbers of its jobs and datasets.

    Nodes are written as `job:NAMESPACE:NAME` and `dataset:NAMESPACE:NAME`, starting with a job.
    """

    path: tuple[str, ...]
    jobs: int
    datasets: int


def find_cycles(graph: Graph, level: Level = "task") -> list[Cycle]:
    """Return one cycle for each strongly connected component, longest first.

    A job that reads the table it writes, such as one that appends to it, is a cycle too.
    """
    found = graph.read(read_whole, level)
    flows, ids, jobs = flows_of(found), node_ids(found), {job.key for job in found.jobs}
    knots = [knot for knot in nx.strongly_connected_components(flows) if len(knot) > 1]
    cycles = [
        Cycle(
            tuple(ids[key] for key in _way_round(flows.subgraph(knot), min(knot & jobs))),
            len(knot & jobs),
            len(knot - jobs),
        )
        for knot in knots
    ]
    return sorted(cycles, key=lambda cycle: (-len(cycle.path), cycle.path))


def _way_round(knot: "nx.DiGraph[str]", start: str) -> list[str]:
    ways = (nx.shortest_path(knot, after, start) for after in knot.successors(start))
    return [start, *min(ways, key=len)[:-1]]
