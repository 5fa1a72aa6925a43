"""Equal tasks of different pipelines run once, and share what they came to."""

from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from tests.project import Project

TASKS = """
from pathlib import Path

def note(text):
    with Path({ran!r}).open("a") as file:
        file.write(text + "\\n")

@lg.task(identity=["day"], emits={{"rows": int}})
def load(day: int, region: str = "EU"):
    note(f"load {{day}}")
    if Path({bad!r}).exists():
        raise ValueError("no")
    lg.emit(rows=day)

for name in ("a", "b"):
    lg.pipeline(name, tasks=[load], params={{"day": int, "region": name}})
"""


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    found = Project(tmp_path / "project", graph, tmp_path / "home")
    found.state(TASKS.format(ran=str(tmp_path / "ran"), bad=str(tmp_path / "bad")))
    return found


def ran(tmp_path: Path) -> list[str]:
    return (tmp_path / "ran").read_text().splitlines()


def outcome(graph: Graph, run: str) -> tuple[str, str | None, str | None]:
    """The state, reason and values of a run's only task."""
    (row,) = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)"
        " RETURN r.state AS state, r.reason AS reason, r.emitted AS emitted",
        {"id": run},
    )
    return row["state"], row["reason"], row["emitted"]


def test_another_pipeline_takes_the_outcome_and_its_values(
    project: Project, graph: Graph, tmp_path: Path
) -> None:
    project.run("a", day=1)
    second = project.run("b", day=1)
    assert ran(tmp_path) == ["load 1"]
    assert outcome(graph, second) == ("COMPLETED", "SHARED", '{"rows":1}')


def test_other_values_and_reruns_run_themselves(project: Project, tmp_path: Path) -> None:
    first = project.run("a", day=1)
    project.run("b", day=2)
    project.rerun(first, policy="latest")
    assert ran(tmp_path) == ["load 1", "load 2", "load 1"]


def test_a_failure_lets_the_next_one_try(project: Project, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "bad").touch()
    assert outcome(graph, project.run("a", day=1))[0] == "FAILED"
    (tmp_path / "bad").unlink()
    assert outcome(graph, project.run("b", day=1))[:2] == ("COMPLETED", None)
    assert ran(tmp_path) == ["load 1", "load 1"]
