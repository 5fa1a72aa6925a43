"""Neo4j Browser with the guide, and a query of it drawn in the style."""

from pathlib import Path

from playwright.sync_api import Locator, expect

from docs.screenshots.stage import Stage
from lineagegraph.neo4j_server.browser import browser_address, login_page
from lineagegraph.neo4j_server.folder import server_folder

_NEO4J = "**://*.neo4j.com/**"
_SAMPLE = Path(__file__).parents[2] / "tests" / "integration" / "explore" / "sample.cypher"


def guided(stage: Stage) -> Locator:
    """Where a pipeline's tasks have their data from."""
    page = stage.page
    stage.graph.query(_SAMPLE.read_text("utf-8"), write=True)
    page.route(_NEO4J, lambda route: route.abort())
    address = browser_address(stage.settings)
    assert address is not None
    page.goto(login_page(server_folder(stage.settings), address, stage.server.password))
    guide = page.get_by_test_id("guidesDrawer")
    page.get_by_test_id("pagination-3").click(timeout=60_000)
    guide.locator("pre.runnable", has_text="lineage.md").locator("i").click()
    guide.locator("pre.runnable", has_text="FEEDS").first.click()
    page.get_by_test_id("editor-Run").click()
    expect(page.locator("g.node").first).to_be_visible(timeout=30_000)
    page.wait_for_timeout(3000)  # until the nodes have found their places
    page.get_by_label("Collapse the node properties display").click()
    page.get_by_label("zoom-to-fit").click()
    page.wait_for_timeout(1000)
    return page.locator("body")
