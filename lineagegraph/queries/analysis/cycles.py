"""Circles in lineage: jobs whose data comes, by way of others, from what they write themselves."""

import msgspec
import networkx as nx

from lineagegraph.graph import Graph
from lineagegraph.queries.analysis.whole import flows_of, read_whole
from lineagegraph.queries.lineage.collapse import Level
from lineagegraph.queries.lineage.lineage_graph import node_ids


class Cycle(msgspec.Struct, frozen=True):
    """A shortest way round in a knot of jobs and datasets, and how many of both are in the knot.

    It is written as `job:NAMESPACE:NAME` and `dataset:NAMESPACE:NAME`, from a job on.
    """

    path: tuple[str, ...]
    jobs: int
    datasets: int


def find_cycles(graph: Graph, level: Level = "task") -> list[Cycle]:
    """Return the circles of data, one for each knot of them, the longest first.

    A job that alone writes what it reads, as one that adds to its own table, is a circle too.
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
