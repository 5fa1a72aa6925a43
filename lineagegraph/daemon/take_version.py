"""Which version a run is to run, settled when it begins."""

from lineagegraph.graph import Graph
from lineagegraph.store import launches


def take_version(graph: Graph, run_id: str) -> None:
    """Settle on the version that the run was queued with, else on its job's current one."""
    graph.write(launches.set_version, id=run_id)
