"""The definitions of the page about sensors do what it says."""

import re
from pathlib import Path

import pytest

from lineagegraph.graph import Graph
from tests.project import Project

PAGE = Path(__file__).parents[3] / "docs" / "sensors.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def project(graph: Graph, tmp_path: Path) -> Project:
    return Project(tmp_path / "project", graph, tmp_path / "home", smart_sensors=False)


def block(about: str) -> str:
    """The one block that has a text."""
    (found,) = (one for one in BLOCKS if about in one)
    return found


def state_of(graph: Graph, run: str) -> tuple[str, str | None]:
    (row,) = graph.query(
        "MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run) RETURN r.state AS state, r.reason AS reason",
        {"id": run},
    )
    return row["state"], row["reason"]


def test_a_function_says_whether_a_day_is_complete(
    project: Project, graph: Graph, tmp_path: Path
) -> None:
    project.state(block("is_complete").replace("/data/orders", str(tmp_path)))
    (tmp_path / "monday").mkdir()
    for number in range(24):
        (tmp_path / "monday" / f"part-{number}").touch()
    assert state_of(graph, project.run("orders.check", day="monday")) == ("COMPLETED", None)


def test_a_report_takes_the_rates_that_another_has_loaded(project: Project, graph: Graph) -> None:
    project.state(block("load_rates"))
    first, second = project.run("eu.report", day="monday"), project.run("us.report", day="monday")
    assert state_of(graph, first) == ("COMPLETED", None)
    assert state_of(graph, second) == ("COMPLETED", "SHARED")
