"""The page hears of runs by the server's stream of run states."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.reactions.commit import commit
from tests.acceptance.page.site import Site
from tests.events import run_event

# Regular loads are switched off: only the stream tells.
NO_TIMERS = "window.setInterval = () => 0"


def test_a_failure_is_shown_without_a_regular_load(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.add_init_script(NO_TIMERS)
    with page.expect_response("**/api/v1/run-states"):
        site.show(page, "now")
    graph.write(commit, extract([run_event("first", "FAIL")]))
    failed = page.get_by_role("region", name="Failed")
    expect(failed).to_contain_text("first")
    with page.expect_event("requestfailed", lambda sent: sent.url.endswith("/run-states")):
        page.get_by_role("link", name="Days").click()
