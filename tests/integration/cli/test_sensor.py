"""`sensor list`, `show` and `why`: what is waited for, by whom, and why still."""

import json

import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.sensors.end_waits import end_waits
from tests.command_line import CommandLine
from tests.sensors import wait_for

READY = make_sensor("file", {"path": "/data/ready"})
TERMS = WaitTerms(timeout=3600, retries=1, soft_fail=True)


@pytest.fixture
def run(server: ServerAddress) -> CommandLine:
    return CommandLine(server)


@pytest.fixture
def waiting(graph: Graph) -> str:
    wait_for(graph, READY, TERMS, job="etl.orders")
    return wait_for(graph, READY, TERMS, job="etl.rides")


def test_list_has_each_sensor_once_with_its_waits(run: CommandLine, waiting: str) -> None:
    (found,) = json.loads(run("sensor", "list", "--json").stdout)
    assert (found["id"], found["waits"]) == (sensor_id(READY), 2)
    assert "file /data/ready" in run("sensor", "list").stdout
    assert "no sensors" in run("sensor", "list", "--kind", "http").stderr


def test_show_names_those_who_wait_in_words_and_as_a_picture(
    run: CommandLine, waiting: str
) -> None:
    said = run("sensor", "show", sensor_id(READY)[:6]).stdout
    assert "etl.rides" in said
    assert "not poked yet" in said
    drawn = run("sensor", "show", sensor_id(READY), "--format", "mermaid").stdout
    assert drawn.startswith("flowchart LR")
    assert "orders" in drawn


def test_why_says_what_keeps_a_run_waiting(run: CommandLine, waiting: str) -> None:
    said = run("sensor", "why", waiting).stdout
    assert "attempt 1 of 2" in said
    assert "skipped rather than failed" in said
    assert "has no sensor process" in said


def test_why_says_that_a_run_looks_itself(run: CommandLine, graph: Graph, waiting: str) -> None:
    graph.write(end_waits, [waiting], why="smart sensors are turned off")
    said = run("sensor", "why", waiting).stdout
    assert "exclusive since" in said
    assert "(smart sensors are turned off)" in said
    assert "has no sensor process" not in said


def test_what_is_not_there_is_one_line(run: CommandLine, graph: Graph) -> None:
    missing = run("sensor", "show", "abc")
    assert missing.returncode == 1
    assert missing.stderr == "error: no sensor 'abc': `lineagegraph sensor list` lists them\n"
