"""The lineage explorer: a job that is selected, a column that is traced, and in the dark."""

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage
from tests.acceptance.notebook.shop import fill_shop

OPEN = "import lineagegraph as lg\nw = lg.connect().explore({})\nw"


def selected(stage: Stage) -> Locator:
    """A failed job, with what is before and after it."""
    explorer = _explorer(stage, 'selected="job:default:board.report"')
    expect(explorer.locator(".lg-pane")).to_contain_text("team:sales", timeout=30_000)
    return explorer


def traced(stage: Stage) -> Locator:
    """A column, and where it comes from."""
    explorer = _explorer(stage, 'selected="dataset:lake:kpi#amount"')
    explorer.get_by_role("button", name="trace the column").click()
    expect(explorer.get_by_label("column amount")).to_have_count(4)
    return explorer


def dark(stage: Stage) -> Locator:
    """Pipelines in place of their tasks, and what is stale, in JupyterLab's dark theme."""
    explorer = _explorer(stage, "level=1, stale=True")
    stage.dress("JupyterLab Dark")
    expect(explorer).to_have_attribute("data-theme", "dark")
    expect(explorer.locator("path.lg-box.stale")).to_have_count(1, timeout=30_000)
    return explorer


def _explorer(stage: Stage, state: str) -> Locator:
    fill_shop(stage.graph)
    explorer = stage.run(OPEN.format(state)).locator(".lg-explorer")
    expect(explorer).to_have_attribute("aria-busy", "false", timeout=30_000)
    expect(explorer.locator(".lg-name")).not_to_have_count(0)
    return explorer
