"""Neo4j Browser, driven as a person would: log in, follow a guide, run queries, see the graph."""

from base64 import b64encode
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.neo4j_server.browser import (
    browser_link,
    hand_in_scripts,
    login_page,
    write_guides,
)
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.queries.search.find_any import find_any
from lineagegraph.queries.search.saved_scripts import saved_scripts, write_zip
from lineagegraph.settings import Settings

SAMPLE = Path(__file__).parents[1] / "integration" / "explore" / "sample.cypher"
PURPLE = "rgb(122, 91, 208)"
# Browser asks for pages of its maker's, which no test needs.
NEO4J = "**://*.neo4j.com/**"


@pytest.fixture(autouse=True)
def sample(graph: Graph, page: Page) -> None:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    page.set_default_timeout(30_000)
    expect.set_options(timeout=30_000)
    page.route(NEO4J, lambda route: route.abort())


def run(page: Page) -> None:
    page.get_by_test_id("editor-Run").click()


def newest_frame(page: Page) -> Locator:
    return page.get_by_test_id("frame").first


def test_who_logs_in_sees_the_guide_and_runs_its_queries(server: ServerAddress, page: Page) -> None:
    page.goto(server.browser)
    expect(page.get_by_test_id("username")).to_have_value(server.user)
    page.get_by_test_id("password").fill(server.password)
    page.get_by_test_id("connect").click()
    guide = page.get_by_test_id("guidesDrawer")
    expect(guide).to_contain_text("The graph has all runs, their versions and data")
    guide.locator("pre.runnable", has_text="how_many").locator("i").click()
    expect(newest_frame(page)).to_contain_text("Dataset")
    page.get_by_test_id("pagination-3").click()
    guide.locator("pre.runnable", has_text="lineage.md").locator("i").click()
    guide.locator("pre.runnable", has_text="FEEDS").first.click()
    run(page)
    expect(newest_frame(page).locator("g.node").first).to_be_visible()


def test_a_link_opens_logged_in_on_its_query_with_our_style_and_scripts(
    server: ServerAddress, settings: Settings, graph: Graph, page: Page
) -> None:
    folder = server_folder(settings)
    hand_in_scripts(folder, [msgspec.structs.asdict(script) for script in saved_scripts()])
    thing = find_any(graph, "nyc.delays")
    link = browser_link(settings, thing.noun, thing.key)
    assert link is not None
    page.goto(login_page(folder, link, server.password))
    expect(page.get_by_test_id("activeEditor")).to_contain_text("// A job with its parent")
    expect(page.get_by_test_id("guidesDrawer")).to_be_visible()
    run(page)
    frame = newest_frame(page)
    job = frame.locator("g.node", has_text="nyc.delays")
    expect(job.locator("circle.b-outline")).to_have_css("fill", PURPLE)
    assert server.password not in page.url
    page.get_by_test_id("navigationFavorites").click()
    page.get_by_test_id("expandFolder-names").click()
    page.get_by_test_id("scriptTitle-The FQNs of all jobs, up to a limit.").click()
    run(page)
    expect(page.get_by_test_id("stream")).to_contain_text("nyc.delays.daily")


def test_scripts_and_style_are_taken_where_they_are_dropped(
    server: ServerAddress, page: Page, tmp_path: Path
) -> None:
    write_guides(tmp_path, "http://localhost:8000")
    write_zip(saved_scripts(), tmp_path / "scripts.zip")
    page.goto(server.browser.replace("guides/open.html", ""))
    page.get_by_test_id("password").fill(server.password)
    page.get_by_test_id("connect").click()
    expect(page.get_by_test_id("guidesDrawer")).to_be_visible()
    drop(page, tmp_path / "lineagegraph.grass")
    expect(newest_frame(page)).to_contain_text("node.Job")
    expect(newest_frame(page)).to_contain_text("#7a5bd0")
    drop(page, tmp_path / "scripts.zip")
    page.get_by_test_id("navigationFavorites").click()
    expect(page.get_by_test_id("expandFolder-history")).to_be_visible()


def drop(page: Page, file: Path) -> None:
    dropped = page.evaluate_handle(
        """([name, content]) => {
          const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
          const carried = new DataTransfer();
          carried.items.add(new File([bytes], name));
          return carried;
        }""",
        [file.name, b64encode(file.read_bytes()).decode()],
    )
    page.locator(".filedrop").dispatch_event("drop", {"dataTransfer": dropped})
