"""The trend of a job on its page: drawn, with change points and outliers."""

from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from tests.acceptance.page.site import Site
from tests.integration.explore.diary import MONDAY, Diary


def test_a_trend_shows_where_a_job_became_slow_and_leads_to_the_run(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site, diary = serve(), Diary(graph)
    for day, minutes in enumerate([10, 10, 90, *[10] * 4, *[20] * 6]):
        end = {"writes": ["rides"], "rows": 100, "day": MONDAY + timedelta(days=day)}
        diary.ran("nightly", 0, minutes, **end)  # type: ignore[arg-type]
    page.goto(f"{site.url}/#/job/nightly/default")
    page.get_by_role("tab", name="Trend").click()
    words = "13 completed runs, usually 20m since Mon 2026-03-09 00:00:00 UTC, 1 change point"
    expect(page.get_by_role("img", name=words)).to_be_visible()
    expect(page.locator(".lg-change")).to_have_count(1)
    expect(page.locator(".lg-far")).to_have_count(1)
    page.get_by_label("Measure").select_option("rows written")
    expect(page.locator("#view")).to_contain_text("usually 100, no change points")
    page.get_by_label("Measure").select_option("time of Spark cores")
    expect(page.locator("#view")).to_contain_text("No completed run has this measure.")
    page.get_by_label("Measure").select_option("duration")
    page.get_by_role("button", name="Show run").click()
    expect(page.locator(".lg-facts")).to_contain_text("2026-03-09")
    expect(page.get_by_role("tab", name="Timeline")).to_have_attribute("aria-selected", "true")
