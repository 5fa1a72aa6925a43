"""Which version a run is to run, settled when it begins."""

import structlog

from lineagegraph.graph import Graph, Transaction
from lineagegraph.reading.is_active import check_in_force
from lineagegraph.reading.refresh import refresh
from lineagegraph.settings import Settings
from lineagegraph.store.admin import variables
from lineagegraph.store.runs import launches

log = structlog.get_logger()


def take_version(graph: Graph, settings: Settings, run_id: str) -> None:
    """Settle on the version that the run was queued with, else on what its definition says now.

    Raises `RunError` where no file defines its pipeline any more.
    """
    wanted = graph.read(launches.get_wanted, id=run_id)
    if wanted is None or wanted.version is not None:
        return
    for fault in refresh(graph, settings, wanted.job_key):
        log.warning("definition_not_read", run=run_id, fault=fault)
    graph.read(check_in_force, wanted.job_key)
    graph.write(_settle, run_id)


def _settle(tx: Transaction, run_id: str) -> None:
    variables.set_initial(tx, run_id=run_id)
    launches.set_version(tx, id=run_id)
