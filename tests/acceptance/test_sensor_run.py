"""`sensor run`: a process alone, that is started again when it dies."""

import json
import os
import signal
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.sensors import read_sensor
from lineagegraph.sensors import Sensor, make_sensor, sensor_id
from lineagegraph.store.admin import processes
from lineagegraph.store.runs.launches import list_states
from tests.acceptance.processes import Commands, shared, until
from tests.sensors import wait_for

LEASE = {"LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "4"}
KIND = '''
import time
from typing import ClassVar
from lineagegraph.sensors import Sensor

class Blocks(Sensor, frozen=True):
    """Says that it does not block, and does."""

    kind: ClassVar[str] = "blocks"

    async def poke(self, context):
        time.sleep(600)
'''


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
        told = json.loads(commands("status", "--json").stdout)["sensors"]
        assert [(one["pid"], one["shards"] > 0) for one in told] == [(pid, True)]
        assert f"sensors  process {pid} on " in commands("status").stdout
        os.kill(pid, signal.SIGKILL)
        wait_and_bring(graph, tmp_path / "second")
    finally:
        process.terminate()
        assert process.wait(60) == 0
    until(lambda: live(graph) == [])


def test_a_kind_that_blocks_the_loop_is_set_apart(
    graph: Graph, server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "blocking.py").write_text(KIND)
    monkeypatch.syspath_prepend(tmp_path)
    blocks: Sensor = import_module("blocking").Blocks()
    own = {
        "LINEAGEGRAPH_SENSOR_KINDS": '["blocking:Blocks"]',
        "LINEAGEGRAPH_SENSOR_STALL_SECONDS": "1",
        "PYTHONPATH": str(tmp_path),
    }
    commands = Commands(tmp_path, shared(server, tmp_path / "home") | LEASE | own)
    wait_for(graph, blocks, job="patient")
    process = commands.start("sensor", "run")
    try:
        wait_and_bring(graph, tmp_path / "other")
    finally:
        process.terminate()
        process.wait(60)
    said = read_sensor(graph, sensor_id(blocks)).sensor.exclusive_reason
    assert said == "the event loop did not run for 1 s"
