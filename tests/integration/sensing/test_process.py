"""A sensor process settles what it finds, and one that is slow harms no other."""

import time
from datetime import timedelta
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.waits import WaitTerms
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.queries.sensors import read_sensor, read_sensors, read_waits_of
from lineagegraph.reactions.commit import commit
from lineagegraph.sensing import graph_gateway
from lineagegraph.sensors import make_sensor, sensor_id
from lineagegraph.store.admin import processes
from lineagegraph.store.runs.launches import list_states
from tests.acceptance.processes import shared, until
from tests.events import run_event
from tests.integration.sensing.conftest import Sensing
from tests.sensors import file, wait_for

QUICK = WaitTerms(poke_interval=0.2)


def state(graph: Graph, run_id: str) -> str:
    (found,) = graph.read(list_states, ids=[run_id])
    return found.state.value


def test_one_look_ends_all_waits_for_a_file(graph: Graph, sensing: Sensing, tmp_path: Path) -> None:
    path = tmp_path / "ready"
    runs = [wait_for(graph, file(path), QUICK, job=f"waiter{n}") for n in range(20)]
    with sensing():
        until(lambda: read_sensors(graph)[0].poked_at)
        assert {state(graph, run) for run in runs} == {"WAITING"}
        path.touch()
        until(lambda: {state(graph, run) for run in runs} == {"COMPLETED"})
    (found,) = read_sensors(graph)
    assert (found.waits, found.is_true) == (0, True)


def test_the_graph_answers_without_a_look(graph: Graph, sensing: Sensing) -> None:
    data = make_sensor("dataset", {"namespace": "file", "name": "/data/orders"})
    run_id = wait_for(graph, data, WaitTerms(poke_interval=60))
    with sensing():
        time.sleep(1)
        assert state(graph, run_id) == "WAITING"
        written = run_event("writer", outputs=(("file", "/data/orders"),))
        graph.write(commit, extract([written]))
        until(lambda: state(graph, run_id) == "COMPLETED", seconds=10)


def test_a_server_that_never_answers_holds_up_nobody_and_is_set_apart(
    graph: Graph, sensing: Sensing, tmp_path: Path, silent: str
) -> None:
    path = tmp_path / "ready"
    hung = make_sensor("http", {"url": silent})
    waits = wait_for(graph, hung, QUICK, job="patient")
    run_id = wait_for(graph, file(path), QUICK, job="quick")
    with sensing(sensor_poke_seconds=2):
        path.touch()
        until(lambda: state(graph, run_id) == "COMPLETED", seconds=10)
        until(lambda: read_sensor(graph, sensor_id(hung)).sensor.exclusive_reason, seconds=60)
    (found,) = read_waits_of(graph, waits)
    assert found.wait.settled_at is None
    assert "no answer within" in (found.sensor.error or "")
    assert "exceeded their time limit" in (found.sensor.exclusive_reason or "")


def test_attempts_end_and_functions_are_called_back(
    graph: Graph,
    sensing: Sensing,
    server: ServerAddress,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(graph_gateway, "_FIRST_LOOKS", 0.0)
    (tmp_path / "told.py").write_text(
        "def note(about):\n"
        "    with open('told.txt', 'a') as file:\n"
        "        print(about.event, about.attempt, about.fields['path'], file=file)\n"
        "def fail():\n"
        "    raise ValueError('no such channel')\n"
    )
    for name, value in shared(server, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    terms = WaitTerms(
        poke_interval=0.2,
        timeout=6,
        retries=1,
        on_retry="told:note",
        on_failure="told:note",
        soft_fail=True,
    )
    run_id = wait_for(graph, file(tmp_path / "never"), terms)
    with sensing():
        until(lambda: state(graph, run_id) == "SKIPPED", seconds=60)
        told = tmp_path / "told.txt"
        until(lambda: told.exists() and len(told.read_text().splitlines()) == 2, seconds=60)
    said = sorted(told.read_text().splitlines())
    assert said == [f"failure 2 {tmp_path}/never", f"retry 2 {tmp_path}/never"]


def test_processes_share_the_shards_and_take_those_of_who_leaves(
    graph: Graph, sensing: Sensing, tmp_path: Path
) -> None:
    def shards() -> list[int]:
        return sorted(one.shards for one in live(graph))

    with sensing():
        until(lambda: shards() == [64], seconds=10)
        with sensing():
            until(lambda: shards() == [32, 32], seconds=20)
            runs = [wait_for(graph, file(tmp_path / f"{n}"), QUICK, job=f"w{n}") for n in range(9)]
            for n in range(9):
                (tmp_path / f"{n}").touch()
            until(lambda: {state(graph, run) for run in runs} == {"COMPLETED"}, seconds=20)
        until(lambda: shards() == [64], seconds=20)


def live(graph: Graph) -> list[processes.SensingProcess]:
    return graph.read(processes.list_sensing, within=timedelta(seconds=5), now=None)
