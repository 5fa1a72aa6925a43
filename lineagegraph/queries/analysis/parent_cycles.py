"""Runs that name each other as parents, around a cycle."""

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.ingest.parent_cycles import list_cycles
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.store.runs.runs import RunOnCycle, list_on_cycles

_MOST_RUNS = 50_000


class ParentCycle(msgspec.Struct, frozen=True):
    """Runs of which each has the next as its parent, and the last the first."""

    runs: tuple[RunOnCycle, ...]


def find_parent_cycles(graph: Graph) -> list[ParentCycle]:
    """Return the cycles of parents among up to 50,000 runs, by their lowest run id."""
    found = {run.id: run for run in graph.read(list_on_cycles, limit=_MOST_RUNS)}
    cycles = list_cycles({run.id: run.parent_id for run in found.values()})
    return [ParentCycle(tuple(found[id_] for id_ in cycle)) for cycle in cycles]


def page_parent_cycles(graph: Graph, cut: Cut) -> Page[ParentCycle]:
    """Return some of `find_parent_cycles`."""
    found = find_parent_cycles(graph)
    return Page.of(found, cut)
