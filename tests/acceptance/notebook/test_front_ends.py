"""The same widgets in other front-ends than JupyterLab: Notebook 7 and marimo."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.notebook.marimo_app import MarimoApp
from tests.acceptance.notebook.shop import fill_shop
from tests.acceptance.processes import shared

SECONDS = 30_000


@pytest.fixture
def notebook7(server: ServerAddress, tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path, shared(server, tmp_path / "home"), app="tree")
    yield lab
    lab.close()


@pytest.fixture
def marimo(server: ServerAddress, tmp_path: Path) -> Iterator[MarimoApp]:
    app = MarimoApp(tmp_path, shared(server, tmp_path / "home"))
    yield app
    app.close()


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page that may have errors: Notebook 7 has one of its own when it starts."""
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        yield context.new_page()


def click_both(explorer: Locator, board: Locator) -> None:
    """Select a job that has to be asked for its details, and the one row of the board."""
    job = explorer.locator('.lg-name[aria-label^="job:default:sales.daily"]')
    expect(job).to_have_count(1, timeout=SECONDS)
    job.click(force=True)
    expect(explorer.locator(".lg-pane")).to_contain_text("team:sales", timeout=SECONDS)
    board.locator("tbody tr").click(timeout=SECONDS)


def test_widgets_work_in_notebook_7(graph: Graph, notebook7: Lab, plain_page: Page) -> None:
    fill_shop(graph)
    cells = (
        "import lineagegraph as lg\nw = lg.connect().explore()\nw",
        "b = lg.connect().freshness()\nb",
    )
    notebook = notebook7.open(plain_page, *cells)
    explorer = notebook.run(0).locator(".lg-explorer")
    click_both(explorer, notebook.run(1).locator(".lg-board"))
    found = notebook.value("[w.selected, b.selected]")
    assert found == ["job:default:sales.daily", "dataset:lake:kpi"]


def test_widgets_work_in_marimo(graph: Graph, marimo: MarimoApp, page: Page) -> None:
    fill_shop(graph)
    page.goto(marimo.address)
    click_both(page.locator(".lg-explorer"), page.locator(".lg-board"))
    said = page.get_by_text("explorer: job:default:sales.daily, board: dataset:lake:kpi.")
    expect(said).to_be_visible(timeout=SECONDS)
