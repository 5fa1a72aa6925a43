"""What is seen without colours and with the keyboard, and what does not move while a view loads."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.page.site import LONG, SHOWN, Site
from tests.events import run_event

TABS = 12
MANY = """
import lineagegraph as lg
from lineagegraph import on

for n in range(10, 20):
    lg.pipeline(f"p{n}", tasks=[lg.command("write", ["true"])], trigger=on.cron("0 * * * *"))
"""
# The focus, or what is drawn as its frame.
UNSEEN = """() => {
  const it = document.activeElement;
  if (it === document.body) return "";
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  const isSeen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
  return isSeen ? "" : `${it.tagName} ${it.className} ${it.textContent.trim().slice(0, 40)}`;
}"""
LOOK = """(e, pseudo) => {
  const { backgroundColor, backgroundImage, content } = getComputedStyle(e, pseudo);
  return [backgroundColor, backgroundImage, content];
}"""


@pytest.mark.parametrize("colours", ["none", "active"])
def test_the_focus_is_seen_in_each_view(
    serve: Callable[..., Site], browser: Browser, colours: Any
) -> None:
    site = serve()
    with browser.new_context(forced_colors=colours) as context:
        page = context.new_page()
        unseen = []
        for view in SHOWN:
            site.show(page, view)
            page.locator("#view").focus()
            for _ in range(TABS):
                page.keyboard.press("Tab")
                unseen += [f"{view}: {one}" for one in [page.evaluate(UNSEEN)] if one]
        assert not unseen, "\n".join(unseen)


@pytest.mark.parametrize("colours", ["none", "active"])
def test_states_differ_by_more_than_their_colours(
    serve: Callable[..., Site], browser: Browser, colours: Any
) -> None:
    site = serve()
    with browser.new_context(forced_colors=colours) as context:
        page = context.new_page()
        site.show(page, "job")
        paper = page.locator("body").evaluate(LOOK)[0]
        completed, failed = (
            page.locator(f".lg-bars .lg-run.{state}").evaluate(LOOK)
            for state in ("completed", "failed")
        )
        assert completed[0] != paper
        assert completed[1] == "none" != failed[1]
        sign = page.locator(".lg-facts .lg-state.failed").evaluate(LOOK, "::before")[2]
        assert sign not in ('"●"', "none")
        site.show(page, "lineage")
        drawn = page.locator(".lg-dot.failed").get_attribute("d") or ""
        other = page.locator(".lg-dot.completed").get_attribute("d") or ""
        assert "a5" in other
        assert "a5" not in drawn


def test_what_is_chosen_is_seen_in_high_contrast(
    serve: Callable[..., Site], browser: Browser
) -> None:
    site = serve()
    with browser.new_context(forced_colors="active") as context:
        page = context.new_page()
        site.show(page, "triggers")
        row = page.locator(".lg-triggers tr[aria-selected=true]")
        assert row.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
        site.show(page, "job")
        chosen, other = (
            page.get_by_role("tab", name=name).evaluate(LOOK)[0] for name in ("Timeline", "Trend")
        )
        assert chosen != other


def test_the_answer_to_why_leads_to_what_it_names(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    old = datetime.now(UTC) - timedelta(days=3)
    graph.write(record, extract([run_event("publish", at=old, outputs=(("lake", "vendor"),))]))
    page.goto(f"{site.url}/#/freshness/dataset:lake:{LONG.replace('/', '%2F')}")
    why = page.get_by_role("region", name="Why")
    expect(why.locator("dt").filter(has_text="path")).to_be_visible()
    for name, address in (("load", "#/job/load/default"), (LONG, "#/lineage/dataset%3Alake")):
        link = why.get_by_role("link", name=name, exact=True).last
        assert (link.get_attribute("href") or "").startswith(address)
    why.get_by_role("link", name="load", exact=True).first.click()
    expect(page.locator("#view")).to_contain_text("Runs of load")


def test_the_bar_does_not_move_when_the_roles_are_known(
    serve: Callable[..., Site], page: Page
) -> None:
    held: list[Route] = []
    page.route("**/api/**", lambda route: held.append(route))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve().url}/#/now")
    last, view = page.get_by_role("link", name="API"), page.locator("#view")
    expect(view).to_contain_text("Loading…")
    before = [last.bounding_box(), view.bounding_box()["y"]]  # type: ignore[index]
    expect(page.get_by_role("link", name="Tokens")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.get_by_role("link", name="Tokens")).to_be_visible()
    assert [last.bounding_box(), view.bounding_box()["y"]] == before  # type: ignore[index]


def test_an_unknown_job_never_shows_tabs(start: Callable[..., str], page: Page) -> None:
    held: list[Route] = []
    page.route("**/run_history/runs", lambda route: held.append(route))
    with page.expect_request("**/run_history/runs"):
        page.goto(f"{start()}/#/job/none/default")
    expect(page.get_by_role("tab")).to_have_count(0)
    held.pop().continue_()
    expect(page.locator("#view")).to_contain_text("no job 'none'")
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("link", name="Tokens")).to_be_visible()


def test_a_tab_of_a_job_says_that_it_loads(serve: Callable[..., Site], page: Page) -> None:
    held: list[Route] = []
    page.route("**/run_history/as_was", lambda route: held.append(route))
    site, pane = serve(), page.get_by_role("tabpanel")
    with page.expect_request("**/run_history/as_was"):
        page.goto(site.address("as it was"))
    expect(pane).to_have_text("Loading…")
    held.pop().continue_()
    expect(pane).to_contain_text("gold/prices")
    expect(pane).not_to_contain_text("Loading…")


def test_the_chosen_trigger_is_in_sight_on_a_phone(
    graph: Graph, start: Callable[..., str], page: Page, tmp_path: Path
) -> None:
    (tmp_path / "many.py").write_text(MANY)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "many.py")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{start()}/#/triggers/p19")
    expect(page.locator("#view")).to_contain_text("Why, and why not")
    expect(page.locator("tr[aria-selected=true]")).to_be_in_viewport(ratio=1)


def test_the_form_of_a_trigger_says_that_there_is_no_pipeline_yet(
    start: Callable[..., str], page: Page
) -> None:
    page.goto(f"{start()}/#/triggers")
    page.get_by_role("button", name="New trigger").click()
    expect(page.get_by_role("form", name="rule")).to_contain_text("There is no pipeline yet")
