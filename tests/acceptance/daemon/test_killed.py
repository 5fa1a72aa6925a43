"""Daemons and workers that are killed in mid-life, and what the next ones make of it."""

import json
import os
import signal
import time

import psutil

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.acceptance.daemon.looks import kill_worker, reason, runs_of, state, status, told
from tests.acceptance.processes import Commands, until
from tests.events import run_event


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
    pid = status(commands)["daemons"][0]["pid"]
    os.kill(pid, signal.SIGKILL)
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie")
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
