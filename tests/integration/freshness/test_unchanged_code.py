"""A task whose inputs are unchanged is carried out again for new code."""

import time
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from tests.events import run_event
from tests.project import Project

FLOW = """
lg.batch("kpi", tasks=[
    lg.command("sum", ["{command}"], freshness=lg.freshness("0.1s", unchanged=True)),
    lg.command("show", ["true"]),
])
"""
FUNCTION = """
@lg.task(freshness=lg.freshness("0.1s", unchanged=True))
def sum():
    print("{text}")

lg.batch("kpi", tasks=[sum])
"""


@pytest.fixture
def project(tmp_path: Path, graph: Graph) -> Project:
    return Project(tmp_path / "project", graph, tmp_path / "home")


def outcome(project: Project) -> str:
    """Run the pipeline, and return the state of its task, which reads a dataset."""
    time.sleep(0.2)
    run_id = project.run("kpi")
    (task,) = project.graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run) WHERE r.name ENDS WITH 'sum' "
        "RETURN r.id AS id, r.name AS name, r.state AS state",
        {"id": run_id},
    )
    if task["state"] == "COMPLETED":
        read = run_event(task["name"], "OTHER", run_id=task["id"], inputs=(("lake", "raw"),))
        read["job"]["namespace"] = "default"
        project.graph.write(record, extract([read]))
    return str(task["state"])


def test_a_new_command_is_carried_out(project: Project) -> None:
    project.state(FLOW.format(command="true"))
    assert [outcome(project) for _ in range(2)] == ["COMPLETED", "FRESH_SKIP"]
    project.state(FLOW.format(command="/bin/true"))
    assert [outcome(project) for _ in range(2)] == ["COMPLETED", "FRESH_SKIP"]


def test_a_new_function_is_carried_out(project: Project) -> None:
    project.state(FUNCTION.format(text="first"))
    assert [outcome(project) for _ in range(2)] == ["COMPLETED", "FRESH_SKIP"]
    project.state(FUNCTION.format(text="second"))
    assert [outcome(project) for _ in range(2)] == ["COMPLETED", "FRESH_SKIP"]
