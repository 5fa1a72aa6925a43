"""Sensors that a run looks at itself, in this process."""

import time
from pathlib import Path
from threading import Thread, Timer

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensor_views import get_code
from tests.acceptance.processes import until
from tests.project import Project


@pytest.fixture
def flag(tmp_path: Path) -> Path:
    return tmp_path / "flag"


@pytest.fixture
def looked_at(server: ServerAddress, graph: Graph, tmp_path: Path) -> Project:
    """A project whose runs start a sensor process, as there is no daemon."""
    reached = {"uri": server.bolt, "user": server.user, "password": server.password}
    named = {f"neo4j_{name}": value for name, value in reached.items()}
    return Project(tmp_path / "project", graph, tmp_path / "home", **named)


def message(graph: Graph, job: str) -> tuple[str, str]:
    """The state of a job's latest run, and why it is so."""
    rows = graph.query(
        "MATCH (:Job {fqn: $job})-[:HAS_RUN]->(r:Run)"
        " RETURN r.state AS state, coalesce(r.message, r.error, '') AS text"
        " ORDER BY r.created_at DESC LIMIT 1",
        {"job": job},
    )
    return rows[0]["state"], rows[0]["text"]


@pytest.mark.parametrize(
    ("said", "mode", "why"),
    [
        ({}, "exclusive", "the task is marked exclusive"),
        ({"smart_sensors": False}, "smart", "smart sensors are turned off"),
    ],
)
def test_a_sensor_that_is_not_shared_comes_out_the_same_and_says_why(
    graph: Graph, tmp_path: Path, flag: Path, said: dict[str, object], mode: str, why: str
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home", **said)
    project.state(f"""
    landed = lg.sensor("file", "landed", path="{flag}", poke_interval="0.2s", mode="{mode}")
    lg.pipeline("p", tasks=[landed, lg.command("after", ["true"], after=landed)])
    """)
    Timer(1, flag.touch).start()
    project.run("p")
    assert message(graph, "p") == ("COMPLETED", "")
    assert message(graph, "p.after")[0] == "COMPLETED"
    assert message(graph, "p.landed") == ("COMPLETED", f"poked by the run itself: {why}")
    assert graph.query("MATCH (s:Sensor) RETURN s.id AS id") == []


def test_its_attempts_end_by_their_time_and_what_fails_softly_is_skipped_with_what_follows(
    graph: Graph, tmp_path: Path, flag: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(f"""
    def landed(name, **rest):
        return lg.sensor(
            "file", name, path="{flag}", timeout="0.3s", retries=1, mode="exclusive", **rest
        )

    soft = landed("soft", soft_fail=True)
    hard = landed("hard", on_retry="calls:again", on_failure="calls:over", on_success="calls:no")
    after = [lg.command(f"after_{{one.name}}", ["true"], after=one) for one in (soft, hard)]
    lg.pipeline("p", tasks=[soft, hard, *after])
    """)
    project.run("p")
    assert message(graph, "p")[0] == "FAILED"
    assert message(graph, "p.soft")[0] == "SKIPPED"
    assert message(graph, "p.after_soft") == ("SKIPPED", "not run: soft skipped")
    assert message(graph, "p.hard") == ("FAILED", "the task took more than its timeout of 0.3 s")
    assert message(graph, "p.after_hard")[0] == "FAILED"
    calls = graph.query(
        "MATCH (c:SensorCallback) RETURN c.function AS function, c.attempt AS attempt,"
        " c.run_id AS run_id ORDER BY c.function"
    )
    assert [(call["function"], call["attempt"]) for call in calls] == [
        ("calls:again", 2),
        ("calls:over", 2),
    ]
    code = graph.read(get_code, run_id=calls[0]["run_id"])
    assert code is not None
    assert code.root == str(project.folder)


def test_values_of_the_run_stand_in_what_is_looked_at_and_functions_are_asked(
    graph: Graph, tmp_path: Path
) -> None:
    project = Project(tmp_path / "project", graph, tmp_path / "home", smart_sensors=False)
    (tmp_path / "month=3").mkdir()
    (tmp_path / "month=3" / "_SUCCESS").touch()
    project.state(f"""
    from pathlib import Path

    def complete(month: int) -> bool:
        return Path("{tmp_path}", f"month={{month}}", "_SUCCESS").is_file()

    landed = lg.sensor("file", "landed", path="{tmp_path}/month={{month}}/_SUCCESS", timeout="5s")
    lg.pipeline("p", tasks=[landed, lg.sensor(complete, timeout="20s")], params={{"month": int}})
    """)
    project.run("p", month=3)
    assert message(graph, "p") == ("COMPLETED", "")
    assert message(graph, "p.complete")[0] == "COMPLETED"


def test_a_wait_that_is_given_back_goes_on_alone_for_the_time_that_is_left(
    graph: Graph, looked_at: Project, flag: Path
) -> None:
    project = looked_at
    project.state(f"""
    lg.pipeline("p", tasks=[lg.sensor("file", "landed", path="{flag}", poke_interval="0.5s",
                                      timeout="60s")])
    """)

    def give_back() -> None:
        until(lambda: graph.query("MATCH (:Run)-[:WAITS_ON]->(s:Sensor) RETURN s.id"), 60)
        id_ = graph.query("MATCH (s:Sensor) RETURN s.id AS id")[0]["id"]
        graph.write(sensors.set_exclusive, id=id_, reason="it hangs", now=None)
        graph.write(sensors.settle_exclusive, id=id_)
        time.sleep(2)
        flag.touch()

    giving = Thread(target=give_back)
    giving.start()
    project.run("p")
    giving.join()
    assert message(graph, "p.landed") == ("COMPLETED", "poked by the run itself: it hangs")


def test_a_sensor_in_a_batch_is_not_waited_for_again_while_it_is_fresh(
    graph: Graph, looked_at: Project, flag: Path
) -> None:
    project = looked_at
    project.state(f"""
    landed = lg.sensor("file", "landed", path="{flag}", poke_interval="0.5s")
    done = lg.command("done", ["true"], after=landed)
    lg.batch("b", tasks=[landed, done])
    """)
    Timer(1, flag.touch).start()
    project.run("b")
    assert message(graph, "b.landed")[0] == "COMPLETED"
    assert message(graph, "b.done")[0] == "COMPLETED"
    flag.unlink()
    project.run("b")
    assert message(graph, "b.landed")[0] == "FRESH_SKIP"
