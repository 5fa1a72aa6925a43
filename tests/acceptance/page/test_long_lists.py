"""Views with more rows than they show."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from tests.integration.explore.test_long_lists import BACKFILLS, JOBS, RUN, RUNS


def test_a_view_says_what_it_leaves_out_and_finds_it(
    graph: Graph, start: Callable[..., str], page: Page
) -> None:
    graph.query(JOBS, write=True)
    graph.query(RUNS, {"id": RUN}, write=True)
    graph.query(BACKFILLS, write=True)
    url = start()
    view = page.locator("#view")
    page.goto(f"{url}/#/triggers")
    expect(view).to_contain_text("3 more are not shown")
    page.get_by_label("search triggers").fill("rule2002")
    expect(view.get_by_role("row").filter(has_text="rule2002")).to_be_visible()
    expect(view).not_to_contain_text("not shown")
    page.goto(f"{url}/#/run/{RUN}")
    expect(view).to_contain_text("1,801 more are not shown")
    expect(view.get_by_role("option").filter(has_text="FAILED")).to_have_count(1)
    page.goto(f"{url}/#/backfills")
    expect(view).to_contain_text("Backfills (53)")
    expect(view).to_contain_text("3 more are not shown")
