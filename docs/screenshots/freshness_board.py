"""The freshness board: what is stale, and why."""

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage
from tests.acceptance.notebook.shop import fill_shop


def stale(stage: Stage) -> Locator:
    """A table whose job failed."""
    fill_shop(stage.graph)
    cell = "import lineagegraph as lg\nlg.connect().freshness()"
    board = stage.run(cell).locator(".lg-board")
    expect(board.locator("tbody tr")).to_have_count(1)
    return board
