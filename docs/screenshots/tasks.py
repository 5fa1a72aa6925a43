"""Tuesday's run of a pipeline, found by its day, before it runs again as it was."""

from datetime import timedelta
from pathlib import Path
from tempfile import mkdtemp

from playwright.sync_api import Locator, expect

from docs.screenshots.run_history import OPEN, SALES
from docs.screenshots.stage import Stage
from tests.project import Project

MOVE = """
MATCH (r:Run {id: $id})-[:PARENT_OF*0..]->(part:Run)
SET part.created_at = part.created_at - $back, part.started_at = part.started_at - $back,
    part.ended_at = part.ended_at - $back
"""


def rerun(stage: Stage) -> Locator:
    """A week of runs; Tuesday's is chosen, and nothing is other than it was."""
    folder = mkdtemp()
    project = Project(Path(folder, "project"), stage.graph, Path(folder, "home"))
    project.state(SALES)
    for back in range(7, 0, -1):
        run = project.run("sales", day=1 + back % 3)
        stage.graph.query(MOVE, {"id": run, "back": timedelta(days=back)}, write=True)
    history = stage.run(OPEN).locator(".lg-history")
    history.get_by_role("option", name="Tue ").click()
    history.get_by_role("tab", name="Run again").click()
    history.get_by_role("button", name="As it was").click()
    expect(history.get_by_role("button", name="Start", exact=True)).to_be_visible()
    return history
