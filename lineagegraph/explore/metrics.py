"""The numbers of a graph at one moment, for those who watch it."""

from typing import NamedTuple

from lineagegraph.explore.forwards import read_targets
from lineagegraph.explore.freshness import Standing, read_standings
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.states import RunState
from lineagegraph.store import metrics
from lineagegraph.store.forwards import TargetRow
from lineagegraph.store.metrics import StateCount, Untold, Work


class Numbers(NamedTuple):
    """Everything that there is to count."""

    states: list[StateCount]
    work: Work
    untold: list[Untold]
    targets: list[TargetRow]
    standings: list[Standing]


def read_numbers(graph: Graph, zone: str) -> Numbers:
    """Count; `zone` is that of terms of freshness that name none."""

    def work(tx: Transaction) -> tuple[list[StateCount], Work, list[Untold]]:
        states = metrics.list_states(tx, states=[state.value for state in RunState])
        return states, metrics.get_work(tx, now=None), metrics.list_untold(tx)

    return Numbers(*graph.read(work), read_targets(graph), read_standings(graph, zone))
