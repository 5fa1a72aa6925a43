"""The page when answers are cut off, clicks are double, and tokens are mistyped."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from lineagegraph.admin.tokens import add_token, list_tokens
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.store.runs.notes import list_notes
from lineagegraph.views.run_history import NEWEST
from tests.acceptance.page.site import Site
from tests.events import run_event

# Whether the browser gets the key that makes all larger, on a line of the timeline.
KEEPS_ZOOM = """() => document.querySelector("[role=treeitem]").dispatchEvent(
  new KeyboardEvent("keydown", { key: "+", ctrlKey: true, bubbles: true, cancelable: true }))"""

# Where each change begins, the buttons that lead to it, and its question.
STARTS = {
    "start": ("job/report/default//Start%20a%20run", ["Start"], "run_history/start"),
    "rerun": (
        "job/report/default//Run%20again",
        ["With today's code", "Start"],
        "run_history/rerun",
    ),
    "fire": ("triggers/report", ["Fire"], "trigger_panel/fire"),
    "backfill": ("backfill/daily/default", ["Start backfill"], "backfills/start"),
}
MADE = """
RETURN COUNT { (:Run {state: 'PENDING'})<-[:HAS_RUN]-(:Job {fqn: 'report'}) }
  + COUNT { (:Backfill) } AS made
"""
DAILY = """
from datetime import date
import lineagegraph as lg
lg.pipeline("daily", tasks=[lg.command("sum", ["true"])], params={"day": date})
"""


@pytest.mark.parametrize(
    ("view", "question"), [("run", "live_run/live"), ("run", "live_run/muted"), ("now", "now/now")]
)
def test_an_answer_that_is_cut_off_counts_as_none(
    serve: Callable[..., Site], page: Page, view: str, question: str
) -> None:
    site = serve()
    page.route(f"**/{question}", lambda route: cut(route, '{"rows": ['))
    page.goto(site.address(view))
    expect(page.locator("#view")).to_contain_text("trying again")
    for word in ("undefined", "Cannot read"):
        expect(page.locator("#view")).not_to_contain_text(word)
    page.unroute_all()
    expect(page.locator("#view")).to_contain_text("the disk is full")
    expect(page.get_by_text("trying again")).to_be_hidden()


def test_an_answer_does_not_hide_that_another_was_lost_meanwhile(
    serve: Callable[..., Site], page: Page
) -> None:
    held: dict[str, Route] = {}

    def hold(route: Route) -> None:
        held[route.request.url.rpartition("/")[2]] = route
        if held.keys() == {"live", "muted"}:
            cut(held["muted"], "")
            held["live"].continue_()

    site = serve()
    # Each is asked once.
    page.add_init_script("window.setInterval = () => 0")
    page.route("**/api/v1/run-states", lambda route: None)
    for question in ("live", "muted"):
        page.route(f"**/live_run/{question}", hold)
    page.goto(site.address("run"))
    expect(page.locator("#view")).to_contain_text("the disk is full")
    expect(page.get_by_text("trying again")).to_be_visible()


def test_a_change_without_an_answer_is_not_said_to_be_tried_again(
    serve: Callable[..., Site], page: Page
) -> None:
    serve().show(page, "run")
    page.route("**/live_run/annotate", lambda route: cut(route, ""))
    page.get_by_label("Reason or note").fill("the vendor was asked")
    page.get_by_role("button", name="Add note").click()
    told = page.get_by_label("Live run").get_by_role("status")
    expect(told).to_contain_text("look whether it was made")
    expect(page.get_by_text("trying again")).to_be_hidden()
    expect(page.get_by_label("Reason or note")).to_have_value("the vendor was asked")


@pytest.mark.parametrize("change", STARTS)
def test_a_start_whose_answer_was_lost_is_made_once_however_often_it_is_tried(
    serve: Callable[..., Site],
    graph: Graph,
    own: Settings,
    tmp_path: Path,
    page: Page,
    change: str,
) -> None:
    site, (address, buttons, question) = serve(), STARTS[change]
    (tmp_path / "daily.py").write_text(DAILY)
    sync_path(graph, own, tmp_path / "daily.py")
    page.goto(f"{site.url}/#/{address}")

    def click() -> None:
        if change == "backfill":
            page.get_by_label("day from").fill("2026-03-01")
            page.get_by_label("day to").fill("2026-03-02")
        for name in buttons:
            page.get_by_role("button", name=name, exact=True).click()

    page.route(f"**/{question}", lose)
    click()
    expect(page.locator("#view")).to_contain_text("No answer came")
    assert graph.query(MADE) == [{"made": 1}]
    page.unroute_all()
    for made in (1, 2) if change == "start" else (1,):
        with page.expect_response(f"**/{question}") as answered:
            click()
        assert answered.value.ok
        assert graph.query(MADE) == [{"made": made}]
        page.goto(f"{site.url}/#/now")
        page.goto(f"{site.url}/#/{address}")


def test_a_double_click_is_one(serve: Callable[..., Site], graph: Graph, page: Page) -> None:
    site = serve()
    site.show(page, "run")
    page.get_by_label("Reason or note").fill("the vendor was asked")
    page.get_by_role("button", name="Add note").dblclick()
    expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")
    site.show(page, "triggers")
    page.get_by_role("button", name="Fire").dblclick()
    expect(page.get_by_label("Triggers").get_by_role("status")).to_contain_text("started as run")
    add_token(graph, "ci", {Role.READ: frozenset("*")})
    page.goto(site.address("tokens"))
    page.get_by_role("button", name="Revoke").dblclick()
    expect(page.get_by_role("button", name="Revoke: sure?")).to_be_visible()
    assert len(graph.read(list_notes, run_id=site.run)) == 1
    queued = "MATCH (:Job {fqn: 'report'})-[:HAS_RUN]->(r {state: 'PENDING'}) RETURN count(r) AS n"
    assert graph.query(queued) == [{"n": 1}]
    assert [one.name for one in list_tokens(graph)] == ["ci"]


def test_a_plan_that_comes_late_does_not_bring_back_the_button_of_one_that_is_started(
    serve: Callable[..., Site], page: Page
) -> None:
    plans: list[Route] = []
    page.route("**/run_history/plan", lambda route: plans.append(route))
    page.goto(f"{serve().url}/#/job/report/default//Run%20again")
    for _ in range(2):
        with page.expect_request("**/run_history/plan"):
            page.get_by_role("button", name="With today's code").click()
    late, newest = plans
    newest.continue_()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#view")).to_contain_text("is rerun 1")
    with page.expect_response("**/run_history/plan"):
        late.continue_()
    page.wait_for_timeout(300)
    expect(page.get_by_role("button", name="Start", exact=True)).to_have_count(0)


def test_keys_of_the_browser_are_left_to_it(serve: Callable[..., Site], page: Page) -> None:
    serve().show(page, "job")
    run = page.get_by_label("Runs, the newest right").get_by_role("option").first
    run.focus()
    page.keyboard.press("Control+c")
    expect(page.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "false")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    assert page.evaluate(KEEPS_ZOOM)
    run.focus()
    page.keyboard.press("c")
    expect(page.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "true")


def test_a_job_with_many_runs_says_that_it_shows_the_newest(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    graph.write(record, extract([run_event("busy") for _ in range(NEWEST + 5)]))
    page.goto(f"{site.url}/#/job/busy/default")
    expect(page.locator("#view")).to_contain_text(f"the newest {NEWEST} runs, 0 failed")


def test_a_run_that_cannot_be_stopped_may_be_tried_again(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    (slow,) = graph.query("MATCH (:Job {fqn: 'slow'})-[:HAS_RUN]->(r) RETURN r.id AS id")
    page.goto(f"{site.url}/#/run/{slow['id']}")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#view")).to_contain_text("Nothing to stop")
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()


def test_what_cannot_be_a_token_is_refused_and_asked_for_again(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    token = add_token(graph, "ann", {Role.READ: frozenset("*")})
    page.goto(serve(host="0.0.0.0").address("now"))
    for typed, told in (("lgt_…", "copy it again"), (f" {token} ", "the disk is full")):
        page.get_by_label("Token").fill(typed)
        page.get_by_role("button", name="Continue").click()
        expect(page.locator("#view")).to_contain_text(told)


def lose(route: Route) -> None:
    """Let the server act, but lose its answer."""
    route.fetch()
    route.abort()


def cut(route: Route, body: str) -> None:
    route.fulfill(status=200, content_type="application/json", body=body)
