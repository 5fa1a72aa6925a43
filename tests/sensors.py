"""Runs that wait for sensors on their own."""

from lineagegraph.graph import Graph
from lineagegraph.model.wait_terms import WaitTerms
from lineagegraph.scheduling.sensors import start_wait
from lineagegraph.sensors import Sensor

USUAL = WaitTerms()


def wait_for(graph: Graph, sensor: Sensor, terms: WaitTerms = USUAL, job: str = "waiter") -> str:
    """Let a run of a job wait for a sensor, and return its id."""
    return graph.write(start_wait, sensor=sensor, terms=terms, name=job).run_id
