"""The freshness board in JupyterLab."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.queries.find.find import find_node
from tests.acceptance.notebook.lab import Lab
from tests.acceptance.processes import until
from tests.events import run_event

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>'"


@pytest.fixture
def stale(graph: Graph) -> None:
    """Three tables: one fresh, one late, one with a name that is no name."""
    now = datetime.now(UTC)
    for name, hours in (("rides", 0), ("fares", 5), (HOSTILE, 9)):
        at = now - timedelta(hours=hours)
        event = run_event(f"load_{hours}", at=at, outputs=(("lake", name),))
        graph.write(record, extract([event]))
        terms = Terms(freshness=Freshness(max_age=3600), grace=60)
        set_terms(graph, find_node(graph, f"dataset:lake:{name}").key, terms)


@pytest.mark.usefixtures("stale")
def test_the_board_shows_the_worst_first_and_says_what_was_clicked(lab: Lab, page: Page) -> None:
    notebook = lab.open(
        page, "from lineagegraph.notebook import connect\nboard = connect().freshness()\nboard"
    )
    board = notebook.run(0).locator(".lg-board")
    rows = board.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.locator(".lg-state")).to_have_text(["stale", "stale", "fresh"])
    expect(board).to_contain_text(HOSTILE)
    rows.filter(has_text="fares").click()
    # The kernel takes what a widget says beside its cells.
    until(lambda: notebook.value("board.selected") == "dataset:lake:fares", 30)
    board.get_by_label("only stale ones").check()
    expect(rows).to_have_count(2)
    until(lambda: notebook.value("board.only_stale") is True, 30)
    assert "owned" not in page.title()


@pytest.mark.usefixtures("stale")
def test_what_is_expected_in_python_is_seen_on_the_board(lab: Lab, page: Page) -> None:
    notebook = lab.open(page, "import lineagegraph as lg\nboard = lg.connect().freshness()\nboard")
    rows = notebook.run(0).locator(".lg-board tbody tr")
    expect(rows).to_have_count(3)
    notebook.run(notebook.add('board.expect("load_9", lg.freshness("10h"))'))
    expect(rows.filter(has_text="load_9").locator(".lg-state")).to_have_text("fresh")
    notebook.run(notebook.add('board.forget("load_9")'))
    expect(rows).to_have_count(3)
