"""`sensor run`: a process alone, that is started again when it dies."""

import os
import signal
from datetime import timedelta
from pathlib import Path

from lineagegraph.graph import Graph
from lineagegraph.model.wait_terms import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import make_sensor
from lineagegraph.store import processes
from lineagegraph.store.launches import list_states
from tests.acceptance.processes import Commands, shared, until
from tests.sensors import wait_for

LEASE = {"LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "4"}


def live(graph: Graph) -> list[int]:
    within = timedelta(seconds=10)
    return [one.pid for one in graph.read(processes.list_sensing, within=within, now=None)]


def wait_and_bring(graph: Graph, path: Path) -> None:
    """Wait for a file and bring it; the wait must end."""
    sensor = make_sensor("file", {"path": str(path)})
    run_id = wait_for(graph, sensor, WaitTerms(poke_interval=1))
    path.touch()
    until(lambda: graph.read(list_states, ids=[run_id])[0].state == "COMPLETED", seconds=60)


def test_a_process_alone_settles_is_replaced_and_leaves(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    commands = Commands(tmp_path, shared(server, tmp_path / "home") | LEASE)
    process = commands.start("sensor", "run")
    try:
        wait_and_bring(graph, tmp_path / "first")
        (pid,) = live(graph)
        os.kill(pid, signal.SIGKILL)
        wait_and_bring(graph, tmp_path / "second")
    finally:
        process.terminate()
        assert process.wait(60) == 0
    until(lambda: live(graph) == [])
