"""Runs that wait for sensors, made without a pipeline."""

from lineagegraph.graph import Graph
from lineagegraph.ingest import extract
from lineagegraph.model.ids import new_id
from lineagegraph.model.wait_terms import WaitTerms
from lineagegraph.scheduling import commit
from lineagegraph.scheduling.sensors import begin_wait
from lineagegraph.sensors import Sensor
from tests.events import run_event

USUAL = WaitTerms()


def wait_for(graph: Graph, sensor: Sensor, terms: WaitTerms = USUAL, job: str = "waiter") -> str:
    """Let a run of a job wait for a sensor, and return its id."""
    run_id = new_id()
    graph.write(commit, extract([run_event(job, "START", run_id=run_id)]))
    graph.write(begin_wait, run_id=run_id, root_id=run_id, sensor=sensor, terms=terms)
    return run_id
