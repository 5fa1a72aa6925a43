"""The history of a job's runs in JupyterLab."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import derived_id
from lineagegraph.reactions.commit import commit
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.processes import until
from tests.events import run_event
from tests.project import Project

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
STATED = """
@lg.task
def load(day: int):
    print("{word}")

@lg.task(after=load)
def save(day: int):
    assert day < 3, {hostile!r}

lg.pipeline("rides", tasks=[load, save], params={{"day": int}})
"""


@pytest.fixture
def runs(graph: Graph, tmp_path: Path) -> list[str]:
    """Two runs of one version, with Spark in the second, and one of another, which failed."""
    project = Project(tmp_path / "project", graph, tmp_path / "home")
    project.state(STATED.format(word="then", hostile=HOSTILE))
    found = [project.run("rides", day=day) for day in (1, 2)]
    spark(graph, derived_id(found[1], "load", "1"))
    project.state(STATED.format(word="now", hostile=HOSTILE))
    return [*found, project.run("rides", day=3)]


def spark(graph: Graph, task: str) -> None:
    """Tell of a Spark application in a task, and of an action in it, with a hostile name."""
    now = datetime.now(UTC)
    app = run_event("app", at=now, parent=(task, "rides.load"))
    app["job"]["facets"]["jobType"] = {"jobType": "APPLICATION", "integration": "SPARK"}
    parent = (app["run"]["runId"], "app")
    save = run_event(HOSTILE, at=now + timedelta(seconds=2), parent=parent)
    save["job"]["facets"]["jobType"] = {"jobType": "ACTION", "integration": "SPARK"}
    graph.write(commit, extract([app, save]))


def test_runs_are_drawn_compared_and_run_again(
    lab: Lab, page: Page, graph: Graph, runs: list[str]
) -> None:
    notebook = lab.open(
        page,
        "import os\nos.environ['LINEAGEGRAPH_PAGE_URL'] = 'http://page/'\n"
        "import lineagegraph as lg\nhistory = lg.connect().history('rides')\nhistory",
    )
    history = notebook.run(0).locator(".lg-history")
    bars = history.locator(".lg-one")
    expect(bars).to_have_count(3)
    expect(bars.locator(".lg-run.failed")).to_have_count(1)
    expect(bars.first.locator("small")).to_have_text(
        f"{datetime.now(UTC):%a} {datetime.now(UTC).day}"
    )
    lines = history.get_by_role("treeitem")
    expect(lines).to_have_count(3)
    bars.nth(1).click()
    expect(lines.filter(has_text="load")).to_contain_text("2 inside")
    assert notebook.value("history.selected") == runs[1]
    expect(history.get_by_role("link", name="Open the page")).to_have_attribute(
        "href", f"http://page/#/job/rides/default/{runs[1]}"
    )
    lines.filter(has_text="load").click()
    expect(lines).to_have_count(5)
    expect(lines.nth(3)).to_contain_text(HOSTILE)
    page.keyboard.press("ArrowLeft")
    expect(lines).to_have_count(3)

    notebook.run(notebook.add(f"history.selected = {runs[2]!r}"))
    expect(bars.nth(2)).to_have_attribute("aria-selected", "true")
    history.get_by_role("tab", name="Compare").click()
    expect(history.locator(".lg-diff")).to_contain_text("day")
    bars.nth(2).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("c")
    assert notebook.value("history.compared") == runs[0]
    expect(history.locator(".lg-code.lg-removed")).to_have_text('-    print("then")')
    expect(history.locator(".lg-code.lg-added")).to_have_text('+    print("now")')

    bars.nth(0).click()
    history.get_by_role("tab", name="Run again").click()
    history.get_by_role("button", name="As it was").click()
    expect(history.locator(".lg-plan")).to_contain_text("Nothing is other than it was")
    history.get_by_role("button", name="Start", exact=True).click()
    expect(history.locator(".lg-plan")).to_contain_text("is rerun 1")
    expect(bars).to_have_count(4)
    # No daemon lives: a process of its own carries it out.
    until(lambda: repeated(graph) == [(runs[0], "as_was", "COMPLETED")], seconds=60)
    assert "owned" not in page.title()


def repeated(graph: Graph) -> list[tuple[str, str, str]]:
    rows = graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->(o:Run)"
        " RETURN o.id AS id, r.rerun_policy AS policy, r.state AS state"
    )
    return [(row["id"], row["policy"], row["state"]) for row in rows]
