"""The panel of triggers: why one has not fired, and the form in which rules are made."""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage
from tests.project import Project

BOARD = """
from lineagegraph import on

@lg.task(emits={"rows": int, "region": str})
def load():
    lg.emit(rows=42, region="EU")

@lg.task
def publish(region):
    pass

lg.pipeline("orders", tasks=[load])
lg.pipeline("customers", tasks=[load])
lg.pipeline(
    "board",
    tasks=[publish],
    params={"region": "EU"},
    trigger=on.success("orders") & on.success("customers") | on.cron("0 6 * * *"),
)
"""
OPEN = "import lineagegraph as lg\nlg.connect().trigger_panel('board')"


def why_not(stage: Stage) -> Locator:
    """A trigger that waits for one of two pipelines."""
    panel = _panel(stage)
    expect(panel).to_contain_text("orders")
    return panel


def rule(stage: Stage) -> Locator:
    """A copy of it in the form, with what it would have done last week."""
    panel = _panel(stage)
    panel.get_by_role("button", name="Copy").click()
    expect(panel.get_by_role("form", name="rule")).to_contain_text("It would")
    return panel


def _panel(stage: Stage) -> Locator:
    with TemporaryDirectory() as folder:
        project = Project(Path(folder, "project"), stage.graph, Path(folder, "home"))
        project.state(BOARD, "board.py")
        project.run("orders")
    panel = stage.run(OPEN).locator(".lg-triggers")
    expect(panel.get_by_role("button", name="Copy")).to_be_visible()
    return panel
