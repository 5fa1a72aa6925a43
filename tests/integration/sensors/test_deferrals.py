"""Deferred tasks without a daemon: their run's process stays, and a sensor process beside it."""

from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.sensors import make_sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.sensors import sensors
from lineagegraph.waits.by_hand import HandOutcome, settle_by_hand
from lineagegraph.waits.idle import make_exclusive
from tests.acceptance.processes import until
from tests.project import Project

STATED = """
flag = lg.sensor("file", path="{flag}", poke_interval="0.2s", timeout="1m")

@lg.task(emits={{"found": bool, "message": str}})
def load():
    answer = lg.defer(flag)
    lg.emit(found=bool(answer), message=answer.message)

lg.pipeline("p", tasks=[load])
"""


@pytest.fixture
def project(tmp_path: Path, graph: Graph, server: ServerAddress) -> Project:
    address = {
        "neo4j_uri": server.bolt,
        "neo4j_user": server.user,
        "neo4j_password": server.password,
    }
    found = Project(tmp_path / "project", graph, tmp_path / "home", **address)
    found.state(STATED.format(flag=tmp_path / "flag"))
    return found


def emitted(project: Project, run_id: str) -> Any:
    rows = project.graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run) RETURN r.emitted AS emitted", {"id": run_id}
    )
    return rows[0]["emitted"]


def waiting(graph: Graph) -> list[str]:
    rows = graph.query("MATCH (r:Run)-[w:WAITS_ON]->(:Sensor) RETURN r.id AS id")
    return [row["id"] for row in rows]


def test_a_deferred_task_goes_on_without_a_daemon(project: Project, tmp_path: Path) -> None:
    Timer(4, (tmp_path / "flag").touch).start()
    run_id = project.run("p")
    assert project.tasks(run_id) == {"load": "COMPLETED"}
    assert '"found":true' in emitted(project, run_id)


def test_a_rerun_waits_again(project: Project, tmp_path: Path) -> None:
    (tmp_path / "flag").touch()
    first = project.run("p")
    second = project.rerun(first, policy="latest")
    assert '"found":true' in emitted(project, second)
    past = project.graph.query("MATCH (:Run)-[w:WAITED_ON]->(:Sensor) RETURN w.outcome AS outcome")
    assert [row["outcome"] for row in past] == ["success"] * 2
    assert waiting(project.graph) == []


def test_a_sensor_that_does_harm_is_poked_apart_for_it(project: Project, tmp_path: Path) -> None:
    graph, flag = project.graph, tmp_path / "flag"
    sensor = make_sensor("file", {"path": str(flag)})
    id_ = graph.write(keep_sensor, sensor, None).id
    graph.write(sensors.set_exclusive, id=id_, reason="it took too long", now=None)

    def harm() -> None:
        until(lambda: waiting(graph), 20)
        graph.write(make_exclusive, id_, "again")
        flag.touch()

    Timer(0, harm).start()
    assert '"found":true' in emitted(project, project.run("p"))


def test_a_person_may_settle_the_wait(project: Project) -> None:
    def settle() -> None:
        until(lambda: waiting(project.graph), 20)
        (run_id,) = waiting(project.graph)
        project.graph.write(settle_by_hand, run_id, HandOutcome.SUCCESS, "by mail", "ann")

    Timer(0, settle).start()
    assert '"message":"settled by ann: by mail"' in emitted(project, project.run("p"))


def test_a_cancelled_run_ends_the_wait(project: Project) -> None:
    def cancel() -> None:
        until(lambda: waiting(project.graph), 20)
        rows = project.graph.query("MATCH (r:Run {launch: 'CLAIMED'}) RETURN r.id AS id")
        project.graph.write(cancel_run, rows[0]["id"])

    Timer(0, cancel).start()
    assert project.tasks(project.run("p")) == {"load": "KILLED"}
    rows = project.graph.query("MATCH (:Run)-[w:WAITS_ON]->(:Sensor) RETURN w.outcome AS outcome")
    assert [row["outcome"] for row in rows] == ["cancelled"]
