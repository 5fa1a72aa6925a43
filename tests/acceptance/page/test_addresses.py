"""Addresses of views: sent to others, with any names, unknown, and gone."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from lineagegraph.admin.freshness import set_terms
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key
from tests.acceptance.page.site import Site
from tests.events import run_event

HOSTILE = "<img src=x onerror=\"document.title='owned'\"> 100%/#?&'\u202e end"
SPACE = "s3://bucket/ a"


@pytest.fixture
def hostile(serve: Callable[..., Site], graph: Graph) -> Site:
    """A site with a job, a dataset, a column and an error that look like markup."""
    site = serve()
    failed = run_event(HOSTILE, "FAIL", namespace=SPACE, outputs=((SPACE, HOSTILE),))
    failed["run"]["facets"]["errorMessage"] = {"message": HOSTILE, "programmingLanguage": "SQL"}
    failed["outputs"][0]["facets"] = {"schema": {"fields": [{"name": HOSTILE, "type": HOSTILE}]}}
    old = datetime.now(UTC) - timedelta(days=2)
    first = run_event(HOSTILE, namespace=SPACE, outputs=((SPACE, HOSTILE),), at=old)
    graph.write(record, extract([first, failed]))
    set_terms(graph, dataset_key(SPACE, HOSTILE), Terms(freshness=Freshness(max_age=60.0)))
    site.run = failed["run"]["runId"]
    return site


def test_no_name_is_markup_in_any_view_and_each_leads_to_its_own(hostile: Site, page: Page) -> None:
    shown = page.locator("#view")
    page.goto(hostile.url)
    page.get_by_role("region", name="Failed").get_by_role("link", name="<img src").click()
    expect(shown).to_contain_text(f"Runs of {HOSTILE}")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    for pane in ("As it was", "About the job", "Trend", "Compare"):
        page.get_by_role("tab", name=pane).click()
        expect(shown).to_contain_text(
            {"Trend": "1 completed run", "Compare": "with the run of"}.get(pane, HOSTILE)
        )
        page.reload()
        expect(page.get_by_role("tab", name=pane)).to_have_attribute("aria-selected", "true")
    page.get_by_role("link", name="Live run").click()
    expect(shown).to_contain_text(HOSTILE)
    page.get_by_role("link", name="Job", exact=True).click()
    expect(shown).to_contain_text(f"Runs of {HOSTILE}")
    page.get_by_role("link", name="Lineage").last.click()
    expect(page.get_by_label("Details")).to_contain_text(HOSTILE)
    for view in ("Freshness", "Days", "Tags", "Triggers", "Sensors", "Backfills"):
        page.get_by_role("navigation", name="Views").get_by_role("link", name=view).click()
        expect(shown).not_to_be_empty()
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Freshness").click()
    page.get_by_role("row").filter(has_text="<img").click()
    expect(page.get_by_role("region", name="Why")).to_contain_text(HOSTILE)
    page.keyboard.press("/")
    page.get_by_role("banner").get_by_role("searchbox").fill("onerror")
    found = page.get_by_label("Found").get_by_role("link", name=f"job:{SPACE}:<img")
    expect(found).to_be_visible()
    found.click()
    expect(shown).to_contain_text("2 runs, 1 failed")
    assert page.locator("img").count() == 0
    assert "owned" not in page.title().replace(HOSTILE, "")


def test_an_address_of_the_board_keeps_that_only_stale_ones_are_shown(
    serve: Callable[..., Site], page: Page
) -> None:
    page.goto(f"{serve().url}/#/freshness")
    only = page.get_by_label("only stale")
    rows = page.get_by_role("table").get_by_role("row")
    expect(only).not_to_be_checked()
    expect(rows).to_have_count(2)
    only.check()
    expect(page).to_have_url(re.compile("#/freshness//only_stale$"))
    page.reload()
    expect(only).to_be_checked()
    only.uncheck()
    expect(page).to_have_url(re.compile("#/freshness/$"))
    expect(rows).to_have_count(2)


def test_an_address_of_a_job_needs_no_namespace(serve: Callable[..., Site], page: Page) -> None:
    page.goto(f"{serve().url}/#/job/load")
    expect(page.locator("#view")).to_contain_text("2 runs, 1 failed")
    for pane in ("Compare", "About the job", "Trend"):
        page.get_by_role("tab", name=pane).click()
        expect(page.get_by_role("tab", name=pane)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#view")).to_contain_text("1 completed run")
    expect(page.get_by_text("did you mean")).to_be_hidden()


def test_what_is_chosen_in_a_view_is_in_its_address(serve: Callable[..., Site], page: Page) -> None:
    site = serve()
    site.show(page, "job")
    page.get_by_role("option").first.click()
    page.get_by_role("tab", name="As it was").click()
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("gold/prices")
    chosen = page.locator(".lg-facts").text_content() or ""
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".lg-facts")).to_have_text(chosen)
    expect(other.get_by_role("region", name="Outputs")).to_contain_text("gold/prices")
    for view, row in (("Triggers", "report"), ("Freshness", "gold/a_table")):
        page.get_by_role("navigation", name="Views").get_by_role("link", name=view).click()
        page.get_by_role("cell", name=row).first.click()
        expect(page.locator("#view")).to_contain_text("hy")
        address = page.url
        assert len(address) > len(f"{site.url}/#/{view}/"), address
    page.reload()
    expect(page.get_by_role("region", name="Why")).to_contain_text("writer")
    page.go_back()
    expect(page.get_by_text("Why, and why not")).to_be_visible()


def test_what_was_found_is_closed_by_back(serve: Callable[..., Site], page: Page) -> None:
    site = serve()
    site.show(page, "now")
    page.goto(site.address("days"))
    page.get_by_role("banner").get_by_role("searchbox").fill("load")
    expect(page.get_by_label("Found")).to_contain_text("load")
    page.go_back()
    expect(page.locator("#view")).to_contain_text("the disk is full")
    expect(page.get_by_label("Found")).to_be_hidden()


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("#/constructor", "Next 12 hours"),
        ("#/__proto__/x", "There is no view '__proto__'; this is Now."),
        ("#/job/gone/default", "no job 'gone'"),
        ("#/job/100%/default", "no job '100%'"),
        ("#/run/0199", "no run '0199'"),
        ("#/lineage/dataset:lake:gone", "gone"),
        ("#/sensors/gone", "gone"),
        ("#/backfills/gone", "gone"),
        ("#/triggers/gone", "gone"),
    ],
)
def test_an_address_of_nothing_says_so(
    serve: Callable[..., Site], page: Page, address: str, text: str
) -> None:
    page.goto(f"{serve().url}/{address}")
    expect(page.locator("#view")).to_contain_text(text)


def test_a_job_tells_versions_triggers_freshness_and_is_skipped(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.goto(f"{site.url}/#/job/report/default//About%20the%20job")
    expect(page.get_by_role("region", name="Triggers that start it")).to_contain_text("report")
    expect(page.get_by_role("region", name="Versions")).to_contain_text("active")
    expect(page.get_by_role("region", name="Freshness")).to_contain_text("none")
    page.get_by_text("Skip this job").click()
    page.get_by_label("Reason", exact=True).last.fill("the vendor is down")
    page.get_by_role("button", name="Skip", exact=True).click()
    mark = page.get_by_text("Runs skip report until it is removed: the vendor is down")
    expect(mark).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Remove the skip").click()
    expect(mark).to_be_hidden()
