"""Counts of the graph's contents at one moment, for metrics."""

from datetime import timedelta
from typing import NamedTuple

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.freshness.freshness import Standing, read_standings
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.store.admin import metrics, processes
from lineagegraph.store.admin.metrics import RunStateCount, Sensing, Untold, WorkCounts
from lineagegraph.store.admin.processes import SensingProcess
from lineagegraph.store.outbox.forwards import TargetRow

_ALIVE = timedelta(minutes=1)


class Numbers(NamedTuple):
    """All counts."""

    states: list[RunStateCount]
    work: WorkCounts
    sensing: Sensing
    sensor_processes: list[SensingProcess]
    untold: list[Untold]
    targets: list[TargetRow]
    standings: list[Standing]


def read_numbers(graph: Graph, zone: str) -> Numbers:
    """Count everything; `zone` applies to freshness terms without a zone of their own."""

    def work(
        tx: Transaction,
    ) -> tuple[list[RunStateCount], WorkCounts, Sensing, list[SensingProcess], list[Untold]]:
        return (
            metrics.list_states(tx, states=[state.value for state in RunState]),
            metrics.get_work(tx, now=None),
            metrics.get_sensing(tx),
            processes.list_sensing(tx, within=_ALIVE, now=None),
            metrics.list_untold(tx),
        )

    return Numbers(*graph.read(work), read_targets(graph), read_standings(graph, zone))
