"""The page at `/` in a real browser, over a real server with a daemon."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from tests.acceptance.daemon.looks import state, status
from tests.acceptance.processes import Commands, shared, until

PIPELINES = """
import lineagegraph as lg
from lineagegraph import on

lg.pipeline("fails", tasks=[lg.command("breaks", ["sh", "-c", "echo the disk is full; exit 3"])],
    trigger=on.cron("* * * * *", zone="UTC") & on.event("never"))
lg.pipeline("slow", tasks=[lg.command("sleeps", ["sleep", "300"])],
    trigger=on.every("1h"))
"""


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Iterator[Commands]:
    found = Commands(tmp_path, shared(server, tmp_path / "home"))
    (tmp_path / "pipes.py").write_text(PIPELINES)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "pipes.py")
    found("up", "--detach")
    yield found
    found("down")


def group(page: Page, name: str):
    return page.get_by_role("region", name=name)


def test_a_person_on_call_sees_what_failed_and_acts(
    commands: Commands, graph: Graph, page: Page
) -> None:
    commands("run", "fails")
    commands("run", "slow")
    until(lambda: state(graph, "slow.sleeps") == "RUNNING", 60)
    until(lambda: state(graph, "fails") == "FAILED", 60)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    url = status(commands)["http"]

    page.goto(url)
    failed = group(page, "Failed in the last 24 hours")
    expect(failed).to_contain_text("the disk is full")
    expect(group(page, "Next 12 hours")).to_contain_text("slow")
    group(page, "Running").get_by_role("link", name="slow").click()
    expect(page.get_by_text("Runs of slow")).to_be_visible()
    page.go_back()

    group(page, "Running").get_by_role("row").nth(1).get_by_role("link").first.click()
    expect(page.get_by_label("Runs")).to_contain_text("sleeps")
    page.get_by_role("button", name="Stop").click()
    until(lambda: state(graph, "slow") == "KILLED", 60)
    expect(page.get_by_label("Live run")).to_contain_text("KILLED")

    for view, text in (
        ("Triggers", "slow"),
        ("Freshness", "No terms yet"),
        ("Lineage", "group by"),
    ):
        page.get_by_role("navigation", name="Views").get_by_role("link", name=view).click()
        expect(page.locator("#view")).to_contain_text(text, ignore_case=True)

    page.keyboard.press("/")
    page.get_by_role("banner").get_by_role("searchbox").fill("fail")
    page.get_by_label("Found").get_by_role("link", name="job:default:fails", exact=True).click()
    expect(page.get_by_text("Runs of fails")).to_be_visible()
    assert {address.split("/")[2] for address in asked} == {url.split("/")[2]}
    assert refused == []


def test_a_failure_is_acknowledged_and_marked_by_hand_with_a_reason(
    commands: Commands, graph: Graph, page: Page
) -> None:
    commands("run", "fails")
    until(lambda: state(graph, "fails") == "FAILED", 60)
    page.goto(status(commands)["http"])
    failed = group(page, "Failed in the last 24 hours")
    failed.get_by_role("row").nth(1).get_by_role("link").first.click()
    by_hand = page.get_by_role("group", name="By hand")
    words = by_hand.get_by_label("Reason or note")

    by_hand.get_by_role("button", name="Mark as succeeded").click()
    expect(page.get_by_label("Live run").get_by_role("status")).to_contain_text("reason")
    assert state(graph, "fails") == "FAILED"
    words.fill("the vendor cleans up")
    by_hand.get_by_role("button", name="Acknowledge").click()
    expect(by_hand).to_contain_text("the vendor cleans up")
    for note in ("the file came twice", "and a third time"):
        words.fill(note)
        by_hand.get_by_role("button", name="Add note").click()
        expect(by_hand).to_contain_text(note)
    expect(by_hand).to_contain_text("the file came twice")
    page.go_back()
    expect(failed).to_contain_text("acknowledged by")

    page.go_forward()
    words.fill("loaded by hand")
    by_hand.get_by_role("button", name="Mark as succeeded").click()
    expect(by_hand).to_contain_text("was FAILED; marked by")
    assert state(graph, "fails") == "COMPLETED"
    by_hand.get_by_role("button", name="Remove the mark").click()
    expect(by_hand.get_by_role("button", name="Mark as failed")).to_be_hidden()
    assert state(graph, "fails") == "FAILED"


def test_an_answer_that_comes_late_does_not_hide_a_newer_one(
    commands: Commands, graph: Graph, page: Page
) -> None:
    commands("run", "fails")
    until(lambda: state(graph, "fails") == "FAILED", 60)
    asked: list[Route] = []
    early: list[APIResponse] = []

    def hold_first(route: Route) -> None:
        asked.append(route)
        if route is asked[0]:
            early.append(route.fetch())
        else:
            route.continue_()

    page.route("**/views/live_run/live", hold_first)
    page.goto(status(commands)["http"])
    failed = group(page, "Failed in the last 24 hours")
    failed.get_by_role("row").nth(1).get_by_role("link").first.click()
    by_hand = page.get_by_role("group", name="By hand")
    while not early:
        page.wait_for_timeout(50)
    by_hand.get_by_label("Reason or note").fill("the vendor cleans up")
    by_hand.get_by_role("button", name="Add note").click()
    expect(by_hand).to_contain_text("the vendor cleans up")

    with page.expect_response("**/views/live_run/live"):
        asked[0].fulfill(response=early[0])
    page.wait_for_timeout(500)
    expect(by_hand).to_contain_text("the vendor cleans up")


def test_the_page_says_that_the_server_is_away_and_goes_on_when_it_is_back(
    commands: Commands, graph: Graph, page: Page
) -> None:
    url = status(commands)["http"]
    page.goto(url)
    expect(group(page, "Running")).to_contain_text("none")
    pid = status(commands)["daemons"][0]["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        expect(page.get_by_text("The server has not answered yet.")).to_be_visible()
    finally:
        os.kill(pid, signal.SIGCONT)
    expect(page.get_by_text("The server has not answered yet.")).to_be_hidden()
    commands("run", "slow")
    expect(group(page, "Running")).to_contain_text("slow")


def test_a_view_that_cannot_be_loaded_says_what_to_do(commands: Commands, page: Page) -> None:
    page.route("**/ui/days/days.js", lambda route: route.abort())
    page.goto(status(commands)["http"])
    page.get_by_role("link", name="Days").click()
    expect(page.get_by_role("alert")).to_contain_text("Reload the page")
    page.get_by_role("link", name="Tags").click()
    expect(page.get_by_role("heading", name="Tags")).to_be_visible()


def test_each_view_can_be_opened_while_the_server_is_away(commands: Commands, page: Page) -> None:
    with page.expect_response("**/ui/days/days.js"):
        page.goto(status(commands)["http"])
    page.route("**/*", lambda route: route.abort())
    page.get_by_role("link", name="Days").click()
    expect(page.get_by_role("heading", name="Compare two days")).to_be_visible()
