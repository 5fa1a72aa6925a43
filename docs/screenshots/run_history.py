"""The history of runs: a run over time, and two that are compared."""

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage
from tests.project import Project

SALES = """
import time

@lg.task
def orders(day: int):
    time.sleep(0.4 * day)

@lg.task
def customers(day: int):
    time.sleep(0.9)

@lg.task(after=[orders, customers])
def daily(day: int):
    time.sleep(0.5)
    assert day != 4, "no orders for day 4"

lg.pipeline("sales", tasks=[orders, customers, daily], params={"day": int})
"""
OPEN = "import lineagegraph as lg\nlg.connect().history('sales')"


def over_time(stage: Stage) -> Locator:
    """The tasks of a run, one after the other."""
    history = _history(stage)
    expect(history.get_by_role("treeitem")).to_have_count(4)
    return history


def compared(stage: Stage) -> Locator:
    """A run that failed and the one before it, which ran another version."""
    history = _history(stage)
    history.locator(".lg-one").nth(3).click()
    history.get_by_role("tab", name="Compare").click()
    expect(history.locator(".lg-diff")).to_contain_text("sleep(0.8)")
    history.locator(".lg-pane").evaluate("(pane) => (pane.style.maxHeight = 'none')")
    return history


def _history(stage: Stage) -> Locator:
    with TemporaryDirectory() as folder:
        project = Project(Path(folder, "project"), stage.graph, Path(folder, "home"))
        project.state(SALES)
        for day in (1, 2, 3):
            project.run("sales", day=day)
        project.state(SALES.replace("time.sleep(0.5)", "time.sleep(0.8)"))
        for day in (4, 5):
            project.run("sales", day=day)
    history = stage.run(OPEN).locator(".lg-history")
    expect(history.locator(".lg-one")).to_have_count(5)
    return history
