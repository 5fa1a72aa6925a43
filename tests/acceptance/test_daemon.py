"""`up` and its daemon, as processes that are started, interrupted and killed."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest import extract, record
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.model.condition import OnStatus
from lineagegraph.model.names import job_key
from lineagegraph.model.states import RunState
from lineagegraph.model.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.scheduling import write_trigger
from lineagegraph.store import jobs
from lineagegraph.store.state_changes import list_changes
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event

PIPELINES = """
import lineagegraph as lg
from lineagegraph import on

@lg.task
def note():
    with open("ran.txt", "a") as file:
        print("ran", file=file)

lg.pipeline("after", tasks=[note], trigger=on.success("upstream"))
lg.pipeline("slow", tasks=[lg.command("sleep", ["sleep", "300"])])
lg.pipeline("mourner", tasks=[note], trigger=on.failure("slow"))
"""


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    quick = {"LINEAGEGRAPH_HEARTBEAT_SECONDS": "1", "LINEAGEGRAPH_LEASE_SECONDS": "4"}
    found = Commands(tmp_path, shared(server, tmp_path / "home") | quick)
    (tmp_path / "pipes.py").write_text(PIPELINES)
    assert found("sync", "pipes.py").returncode == 0
    yield found
    found("down")


def state(graph: Graph, job: str) -> str | None:
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.state AS state, r.reason AS reason "
        "ORDER BY r.created_at DESC LIMIT 1",
        {"job": job},
    )
    return rows[0]["state"] if rows else None


def runs_of(graph: Graph, job: str) -> int:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN count(r) AS n", {"job": job}
    )
    return int(row["n"])


def status(commands: Commands) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(commands("status", "--json").stdout)
    return found


def worker_of(graph: Graph, job: str) -> int:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r {launch: 'CLAIMED'}) RETURN r.owner AS owner",
        {"job": job},
    )
    return int(row["owner"].rpartition(":")[2])


def kill_worker(graph: Graph, job: str) -> None:
    worker = psutil.Process(worker_of(graph, job))
    for process in [*worker.children(recursive=True), worker]:
        process.kill()


def reason(graph: Graph, job: str) -> str | None:
    (row,) = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r) RETURN r.reason AS reason", {"job": job}
    )
    return row["reason"]


def told(graph: Graph, job: str) -> list[tuple[str, str | None]]:
    """The changes of state of a job's runs, with reasons, as followers are told them."""
    newest = number_changes(graph).newest
    found = graph.read(list_changes, after=0, until=newest)
    return [(change.state.value, change.reason) for change in found if change.name == job]


def ingest(commands: Commands, *events: dict[str, Any]) -> str:
    path = commands.folder / "events.json"
    path.write_text("\n".join(map(json.dumps, events)))
    return commands("ingest", str(path)).stdout


def test_up_answers_over_http_says_so_and_goes_down(commands: Commands) -> None:
    assert commands("status").returncode == 1
    assert commands("up", "--detach").returncode == 0
    found = status(commands)
    assert {"http", "bolt", "browser", "daemons", "ready"} <= found.keys()
    assert found["ready"]
    assert commands("status").returncode == 0
    assert len(found["daemons"]) == 1
    for path in ("/health", "/ready"):
        with urllib.request.urlopen(found["http"] + path) as answer:
            assert answer.status == 200
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


def test_a_completion_before_a_killed_daemon_starts_the_next_pipeline_once(
    commands: Commands, graph: Graph
) -> None:
    commands("up", "--detach")
    os.kill(status(commands)["daemons"][0]["pid"], signal.SIGKILL)
    graph.write(record, extract([run_event("upstream")]))
    assert state(graph, "after") is None
    assert commands("up", "--detach").returncode == 0
    until(lambda: state(graph, "after") == "COMPLETED")
    time.sleep(2)
    assert runs_of(graph, "after") == 1
    assert (commands.folder / "ran.txt").read_text() == "ran\n"


def test_a_run_outlives_the_daemon_that_started_it(commands: Commands, graph: Graph) -> None:
    commands("up", "--detach")
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleep") == "RUNNING")
    os.kill(status(commands)["daemons"][0]["pid"], signal.SIGKILL)
    assert commands("up", "--detach").returncode == 0
    time.sleep(6)
    assert state(graph, "slow") == "RUNNING"
    (run,) = json.loads(commands("runs", "slow", "--json").stdout)
    assert commands("cancel", run["id"]).returncode == 0
    until(lambda: state(graph, "slow") == "KILLED")
    assert told(graph, "slow") == [("PENDING", None), ("RUNNING", None), ("KILLED", "CANCELLED")]


def test_a_killed_worker_is_a_failure_that_triggers_hear_of(
    commands: Commands, graph: Graph
) -> None:
    commands("up", "--detach")
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleep") == "RUNNING")
    kill_worker(graph, "slow")
    until(lambda: state(graph, "slow") == "FAILED")
    until(lambda: state(graph, "mourner") == "COMPLETED")
    assert reason(graph, "slow") == "LOST"
    assert told(graph, "slow") == [("PENDING", None), ("RUNNING", None), ("FAILED", "LOST")]
    assert told(graph, "slow.sleep") == [("RUNNING", None), ("FAILED", "LOST")]


def test_a_worker_killed_with_its_daemon_is_missed_by_the_next_daemon(
    commands: Commands, graph: Graph
) -> None:
    commands("up", "--detach")
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleep") == "RUNNING")
    os.kill(status(commands)["daemons"][0]["pid"], signal.SIGKILL)
    kill_worker(graph, "slow")
    commands("up", "--detach")
    until(lambda: state(graph, "slow") == "FAILED")
    assert reason(graph, "slow") == "LOST"
    until(lambda: state(graph, "mourner") == "COMPLETED")


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
