"""Sensor processes die, hang and lose Neo4j: no wait is lost, none ends twice, none is late."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import make_sensor
from lineagegraph.settings import Settings
from lineagegraph.store.admin import processes
from lineagegraph.store.connect import open_graph
from tests.acceptance.processes import kill_neo4j, shared, until
from tests.sensors import file, wait_for

QUICK = WaitTerms(poke_interval=1)
LATE = 30.0
KIND = '''
from typing import ClassVar
from lineagegraph.sensors import Sensor

class Pipe(Sensor, frozen=True):
    """Something that is read from a pipe into which nobody writes."""

    kind: ClassVar[str] = "pipe"
    blocking: ClassVar[bool] = True
    path: str

    def look(self, context):
        with open(self.path) as pipe:
            return bool(pipe.read())
'''


class Processes:
    """Sensor processes, which may be killed."""

    def __init__(self, settings: Mapping[str, str], folder: Path) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("LINEAGEGRAPH_")}
        self._environment = clean | dict(settings)
        self._folder = folder
        self._all: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        command = [sys.executable, "-m", "lineagegraph.sensing"]
        with (self._folder / "sensing.log").open("ab") as output:
            process = subprocess.Popen(
                command, cwd=self._folder, env=self._environment, stdout=output, stderr=output
            )
        self._all.append(process)

    def kill(self) -> None:
        """Kill one at once."""
        process = self._all.pop(0)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for process in self._all:
            process.terminate()
        for process in self._all:
            process.wait(30)


@contextmanager
def sensing(number: int, settings: Mapping[str, str], folder: Path) -> Iterator[Processes]:
    found = Processes(settings, folder)
    try:
        for _ in range(number):
            found.start()
        yield found
    finally:
        found.stop()


def shards(graph: Graph) -> list[int]:
    live = graph.read(processes.list_sensing, within=timedelta(seconds=5), now=None)
    return [one.shards for one in live]


def ends(graph: Graph) -> dict[str, list[str]]:
    """What became of each wait, by its run."""
    rows = graph.query(
        "MATCH (r:Run)-[w:WAITS_ON]->(:Sensor) "
        "RETURN r.id AS id, r.state AS state, w.state AS wait, size(w.log) AS ends"
    )
    return {row["id"]: [row["state"], row["wait"], str(row["ends"])] for row in rows}


def all_ended_once(graph: Graph, runs: list[str]) -> bool:
    found = ends(graph)
    assert all(int(found[run][2]) <= 1 for run in runs)
    return all(found[run] == ["COMPLETED", "success", "1"] for run in runs)


def chaos(
    graph: Graph, server: ServerAddress, folder: Path, silent: str, *, files: int, kills: int
) -> None:
    """Let files come while processes are killed, beside a pipe and a server that hang."""
    (folder / "kinds.py").write_text(KIND)
    os.mkfifo(folder / "pipe")
    settings = shared(server, folder / "home") | {
        "LINEAGEGRAPH_SENSOR_LEASE_SECONDS": "4",
        "LINEAGEGRAPH_SENSOR_POKE_SECONDS": "1",
        "LINEAGEGRAPH_SENSOR_KINDS": '["kinds:Pipe"]',
        "PYTHONPATH": str(folder),
    }
    paths = [folder / f"file{number}" for number in range(files)]
    runs = [wait_for(graph, file(path), QUICK, job=f"waiter{path.name}") for path in paths]
    wait_for(graph, make_sensor("http", {"url": silent}), QUICK, job="hung")
    graph.query(
        "MATCH (s:Sensor {kind: 'http'})<-[w:WAITS_ON]-(r:Run) "
        "CREATE (p:Sensor {id: $id, kind: 'pipe', fields: $fields, shard: s.shard, "
        "interval: 1.0, errors: 0, breaks: 0, touched_at: datetime.realtime()})",
        {"id": "f" * 32, "fields": f'{{"path":"{folder}/pipe"}}'},
        write=True,
    )
    with sensing(3, settings, folder) as found:
        until(lambda: len(shards(graph)) == 3 and min(shards(graph)) > 0, seconds=60)
        for number in range(kills):
            for path in paths[number::kills]:
                path.touch()
            time.sleep(0.3)
            found.kill()
            came = [run for n, run in enumerate(runs) if n % kills <= number]
            until(lambda came=came: all_ended_once(graph, came), seconds=LATE)
            found.start()
        until(lambda: sum(shards(graph)) == 64 and len(shards(graph)) == 3, seconds=60)
    assert all_ended_once(graph, runs)
    hung = graph.query("MATCH (s:Sensor) WHERE s.errors > 0 RETURN s.kind AS kind ORDER BY kind")
    assert [row["kind"] for row in hung] == ["http", "pipe"]


def test_a_process_is_killed_in_a_round_beside_what_hangs(
    graph: Graph, server: ServerAddress, tmp_path: Path, silent: str
) -> None:
    chaos(graph, server, tmp_path, silent, files=30, kills=1)


@pytest.mark.soak
def test_processes_are_killed_again_and_again(
    graph: Graph, server: ServerAddress, tmp_path: Path, silent: str
) -> None:
    chaos(graph, server, tmp_path, silent, files=2_000, kills=12)


def outage(folder: Path, *, files: int, seconds: float) -> None:
    """Kill Neo4j; what comes meanwhile is settled once it is back."""
    home = folder / "home"
    settings = Settings(home=home, neo4j_uri=None, neo4j_heap="512m", port=0)
    server = neo4j_server.start(settings, answers)
    try:
        with open_graph(settings) as graph:
            paths = [folder / f"file{number}" for number in range(files)]
            runs = [wait_for(graph, file(path), QUICK, job=f"waiter{path.name}") for path in paths]
            with sensing(1, shared(server, folder), folder):
                until(lambda: sum(shards(graph)) == 64, seconds=60)
                until(lambda: all(row[1] == "smart_running" for row in ends(graph).values()))
                kill_neo4j(home)
                for path in paths:
                    path.touch()
                time.sleep(seconds)
                neo4j_server.start(settings, answers)
                until(lambda: all_ended_once(graph, runs), seconds=LATE)
    finally:
        neo4j_server.stop(settings)


@pytest.mark.soak
def test_neo4j_dies_and_comes_back(tmp_path: Path) -> None:
    outage(tmp_path, files=5, seconds=2)


@pytest.mark.soak
def test_neo4j_is_away_for_longer_than_all_leases(tmp_path: Path) -> None:
    outage(tmp_path, files=500, seconds=60)
