"""Sensors, and runs that wait for them on their own."""

from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import Sensor, make_sensor
from lineagegraph.waits.standalone import start_wait

USUAL = WaitTerms()


def file(path: Path) -> Sensor:
    """A file that may come."""
    return make_sensor("file", {"path": str(path)})


def wait_for(graph: Graph, sensor: Sensor, terms: WaitTerms = USUAL, job: str = "waiter") -> str:
    """Let a run of a job wait for a sensor, and return its id."""
    return graph.write(start_wait, sensor=sensor, terms=terms, name=job).run_id
