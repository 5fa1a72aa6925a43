"""`up` and its daemon, as processes that are started, interrupted, and two at a time."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.names.keys import job_key
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.store.jobs import jobs
from lineagegraph.triggers.write import write_trigger
from tests.acceptance.daemon.looks import state, status, worker_of
from tests.acceptance.processes import Commands, until
from tests.events import run_event


def ingest(commands: Commands, *events: dict[str, Any]) -> str:
    path = commands.folder / "events.json"
    path.write_text("\n".join(map(json.dumps, events)))
    return commands("ingest", str(path)).stdout


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError as error:
        if error.code != 503:
            raise
        return False


def test_up_answers_over_http_says_so_and_goes_down(commands: Commands) -> None:
    assert commands("status").returncode == 1
    started = commands("up", "--detach")
    assert started.returncode == 0
    assert started.stdout.startswith("up at http://127.0.0.1:")
    found = status(commands)
    assert {"http", "bolt", "browser", "daemons", "ready"} <= found.keys()
    assert found["ready"]
    assert commands("status").returncode == 0
    assert len(found["daemons"]) == 1
    for path in ("/health", "/ready"):
        until(lambda path=path: answers(found["http"] + path), seconds=120)
    assert "up already" in commands("up").stderr
    assert commands("down").returncode == 0
    assert not status(commands)["ready"]


def test_a_daemon_runs_what_is_asked_for_and_what_that_sets_off(
    commands: Commands, graph: Graph
) -> None:
    commands("up", "--detach")
    assert "1 triggers fired" in ingest(commands, run_event("upstream"))
    until(lambda: state(graph, "after") == "COMPLETED")
    assert commands("run", "after", "--wait").returncode == 0
    assert (commands.folder / "ran.txt").read_text() == "ran\nran\n"


def test_an_interrupt_ends_all_of_it_and_the_runs_too(commands: Commands, graph: Graph) -> None:
    process = commands.start("up")
    until(lambda: status(commands)["ready"])
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleep") == "RUNNING")
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=40)
    assert process.returncode == 0
    assert state(graph, "slow") == "KILLED"
    assert state(graph, "slow.sleep") == "KILLED"


def test_a_second_interrupt_ends_it_at_once(commands: Commands, graph: Graph) -> None:
    process = commands.start("up")
    until(lambda: status(commands)["ready"])
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleep") == "RUNNING")
    below = psutil.Process(worker_of(graph, "slow")).children()
    os.kill(process.pid, signal.SIGINT)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    began = time.monotonic()
    process.communicate(timeout=10)
    assert time.monotonic() - began < 5
    until(lambda: not any(each.is_running() for each in below), seconds=5)


def test_two_daemons_fire_two_hundred_triggers_once_each(
    commands: Commands, graph: Graph, tmp_path: Path
) -> None:
    write_two_hundred(graph)
    daemons = [commands.start("up", "--only", "daemon")]
    other = Commands(tmp_path, commands.environment | {"LINEAGEGRAPH_HOME": str(tmp_path / "b")})
    daemons.append(other.start("up", "--only", "daemon"))
    until(lambda: len(status(commands)["daemons"]) == 2)
    graph.write(record, extract([run_event("busy")]))
    until(lambda: count_firings(graph)[0] == 200)
    time.sleep(2)
    for daemon in daemons:
        os.kill(daemon.pid, signal.SIGINT)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda daemon: daemon.communicate(timeout=60), daemons))
    assert count_firings(graph) == (200, 200)


def write_two_hundred(graph: Graph) -> None:
    rule = Trigger(when=OnStatus(job="busy", statuses=(RunState.COMPLETED,)))
    for number in range(200):
        name = f"target_{number}"
        key = job_key(None, "default", name)
        row = {"key": key, "namespace": "default", "name": name, "simple_name": name, "fqn": name}
        graph.write(jobs.merge_jobs, rows=[row | {"parent_key": None}])
        graph.write(write_trigger, rule, name=name, namespace="default", starts=key)


def count_firings(graph: Graph) -> tuple[int, int]:
    """The firings, and the runs that they started."""
    (row,) = graph.query(
        "MATCH (f:Firing) OPTIONAL MATCH (f)-[:STARTED]->(r:Run) "
        "RETURN count(DISTINCT f) AS firings, count(DISTINCT r) AS runs"
    )
    return row["firings"], row["runs"]
