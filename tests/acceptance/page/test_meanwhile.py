"""What others do meanwhile: a view that is open shows it, and acts only on what was chosen."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from playwright.sync_api import Page, expect

from lineagegraph import on
from lineagegraph.admin.mutes import list_mutes, mute_job
from lineagegraph.admin.skips import add_skip, list_skips
from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.model.names.keys import dataset_key, job_key
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.waits import WaitTerms
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.search.details import read_details
from lineagegraph.queries.triggers.triggers import find_trigger, read_triggers
from lineagegraph.reactions.commit import commit
from lineagegraph.reactions.describe import describe_node
from lineagegraph.runs.annotate import annotate_run
from lineagegraph.runs.mark import mark_run
from lineagegraph.settings import Settings
from lineagegraph.triggers.edit import edit_trigger
from lineagegraph.triggers.pause import pause_all
from lineagegraph.triggers.write import delete_trigger
from lineagegraph.waits.by_hand import HandOutcome, settle_wait
from lineagegraph.waits.standalone import start_wait
from tests.acceptance.page.site import ARRIVES, Site, make_by_hand
from tests.events import run_event

# Only the stream of run states tells.
NO_TIMERS = "window.setInterval = () => 0"
# Hide the tab, or show it again.
TURN = """isHidden => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_wait_that_was_not_chosen_is_not_settled_by_hand(
    serve: Callable[..., Site], graph: Graph, own: Settings, page: Page
) -> None:
    site = serve()
    chosen = graph.write(start_wait, sensor=ARRIVES, terms=WaitTerms(), name="partner.chosen")
    site.show(page, "sensors")
    run = page.get_by_role("form", name="Settle by hand").get_by_role("combobox").first
    run.select_option(chosen.run_id)
    page.get_by_label("Reason", exact=True).fill("the file came by mail")
    settle_wait(graph, own, chosen.run_id, HandOutcome.SUCCESS, "it is there", "ann")
    expect(run.get_by_role("option", name="partner.chosen")).to_have_count(0)
    expect(run.locator("option:checked")).to_contain_text("is over: choose")
    questions: list[str] = []
    page.on("request", lambda sent: questions.append(sent.url))
    page.get_by_role("button", name="Settle by hand").click()
    page.wait_for_timeout(500)
    assert not [url for url in questions if url.endswith("/settle")]
    run.select_option(index=1)
    page.get_by_role("button", name="Settle by hand").click()
    expect(page.get_by_role("region", name="Waits")).to_contain_text("the file came by mail")


def test_a_trigger_that_was_deleted_is_not_brought_back_by_its_form(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    key = make_by_hand(graph)
    page.goto(f"{site.url}/#/triggers/by%20hand")
    page.get_by_role("button", name="Edit").click()
    graph.write(delete_trigger, starts=key, name="by hand")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("form", name="rule")).to_contain_text("was deleted meanwhile")
    assert "by hand" not in [one.name for one in read_triggers(graph)]


def test_a_trigger_that_another_changed_meanwhile_is_not_overwritten(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site, key = serve(), make_by_hand(graph)
    page.goto(f"{site.url}/#/triggers/by%20hand")
    edit, save = (page.get_by_role("button", name=name) for name in ("Edit", "Save"))
    edit.click()
    page.get_by_label("description").fill("mine")
    theirs = Trigger(when=on.success("load"), description="theirs")
    terms = {"starts": key, "name": "by hand", "namespace": "default", "is_new": False}
    graph.write(edit_trigger, theirs, **terms)
    save.click()
    form = page.get_by_role("form", name="rule")
    expect(form).to_contain_text("was changed meanwhile and is now 'load COMPLETED'")
    assert find_trigger(graph, "by hand").description == "theirs"
    page.get_by_role("button", name="Cancel").click()
    edit.click()
    expect(page.get_by_label("description")).to_have_value("theirs")
    page.get_by_label("description").fill("both")
    save.click()
    expect(form).to_be_hidden()
    assert find_trigger(graph, "by hand").description == "both"


def test_a_trigger_that_another_changed_meanwhile_is_not_deleted_unseen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    page.add_init_script(NO_TIMERS)
    site, key = serve(), make_by_hand(graph)
    page.goto(f"{site.url}/#/triggers/by%20hand")
    delete = page.get_by_role("button", name="Delete")
    expect(delete).to_be_visible()
    theirs = Trigger(when=on.failure("load"))
    terms = {"starts": key, "name": "by hand", "namespace": "default", "is_new": False}
    graph.write(edit_trigger, theirs, **terms)
    delete.click()
    page.wait_for_timeout(600)
    delete.click()
    told = page.get_by_label("Triggers").get_by_role("status").first
    expect(told).to_contain_text("was changed meanwhile and is now 'load FAILED'")
    expect(page.locator("#view")).to_contain_text("when load FAILED")
    delete.click()
    page.wait_for_timeout(600)
    delete.click()
    expect(told).to_contain_text("by hand is deleted")


def test_a_pause_that_another_made_meanwhile_is_not_replaced_unseen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    serve().show(page, "now")
    page.get_by_text("Pause all triggers").click()
    page.get_by_label("Reason", exact=True).fill("lunch")
    graph.write(pause_all, "the weekend", author="ann")
    page.get_by_role("button", name="Pause", exact=True).click()
    told = page.get_by_label("Now").get_by_role("status").first
    expect(told).to_contain_text("by ann: the weekend: try again")
    expect(page.locator(".lg-paused")).to_contain_text("the weekend (ann")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator(".lg-paused")).to_contain_text("resumed: lunch")
    page.get_by_role("button", name="Resume all triggers").click()
    expect(page.locator(".lg-paused")).to_be_hidden()


def test_a_mute_that_another_changed_meanwhile_is_not_replaced_unseen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    page.add_init_script(NO_TIMERS)
    site, key = serve(), job_key(None, "default", "load")
    mute = partial(mute_job, graph, key, author="ann")
    mute("the vendor is down", datetime(2036, 1, 1, 12, tzinfo=UTC))
    site.show(page, "job")
    page.get_by_text("Change the mute").click()
    page.get_by_label("Reason", exact=True).fill("mine")
    page.get_by_label("Until (UTC)").fill("2036-01-01T11:00")
    mute("it needs longer", datetime(2036, 1, 1, 18, tzinfo=UTC))
    go = page.get_by_role("button", name="Mute", exact=True)
    go.click()
    told = page.get_by_label("Run history").get_by_role("status").first
    expect(told).to_contain_text("was changed meanwhile; now it is load until")
    mark = page.get_by_text("Failures of load are muted until")
    expect(mark).to_contain_text("it needs longer (ann)")
    assert [one.reason for one in list_mutes(graph)] == ["it needs longer"]
    go.click()
    expect(mark).to_contain_text("mine")
    mute("a third", datetime(2036, 1, 1, 18, tzinfo=UTC))
    page.get_by_role("button", name="Unmute").click()
    expect(mark).to_contain_text("a third")
    page.get_by_role("button", name="Unmute").click()
    expect(mark).to_be_hidden()


def test_a_skip_that_another_changed_meanwhile_is_not_replaced_unseen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site, key = serve(), find_job(graph, "report").key
    site.show(page, "about a job")
    page.get_by_text("Skip this job").click()
    page.get_by_label("Reason", exact=True).last.fill("mine")
    add_skip(graph, key, "until the audit ends", author="ann")
    go = page.get_by_role("button", name="Skip", exact=True)
    go.click()
    mark = page.get_by_text("Runs skip report until it is removed:")
    expect(mark).to_contain_text("until the audit ends (ann)")
    told = page.get_by_label("Run history").get_by_role("status").first
    expect(told).to_contain_text("report is skipped until it is removed by ann: until the audit")
    assert [one.reason for one in list_skips(graph)] == ["until the audit ends"]
    go.click()
    expect(mark).to_contain_text("mine")
    add_skip(graph, key, "until the audit ends", author="ann")
    page.get_by_role("button", name="Remove the skip").click()
    expect(mark).to_contain_text("until the audit ends (ann)")
    page.get_by_role("button", name="Remove the skip").click()
    expect(mark).to_be_hidden()


def test_a_description_that_another_changed_meanwhile_is_not_overwritten(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site, named = serve(), ("lake", "gold/prices")
    state = partial(graph.write, describe_node, named, is_job=False)
    key = dataset_key(*named)
    site.show(page, "lineage")
    page.get_by_text("Describe", exact=True).click()
    page.get_by_label("Description").fill("mine")
    state(owners=["team:sales"])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Details")).to_contain_text("team:sales")
    assert dict(read_details(graph, key).lines)["description"] == "mine"
    page.get_by_text("Describe", exact=True).click()
    page.get_by_label("Description").fill("mine again")
    state(description="theirs")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Details").get_by_role("status")).to_contain_text("now 'theirs'")
    assert dict(read_details(graph, key).lines)["description"] == "theirs"


def test_a_note_about_a_run_that_has_ended_is_seen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.clock.install()
    site.show(page, "run")
    annotate_run(graph, site.run, "the vendor was asked", author="ann")
    page.clock.run_for(12_000)
    expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")


def test_a_mute_of_the_job_of_a_run_is_seen(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.clock.install()
    site.show(page, "run")
    until = datetime.now(UTC) + timedelta(days=1)
    mute_job(graph, job_key(None, "default", "load"), "the vendor is down", until)
    page.clock.run_for(12_000)
    expect(page.get_by_label("Live run")).to_contain_text("the vendor is down")


def test_a_mark_of_a_run_that_has_ended_is_seen_at_once(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.add_init_script(NO_TIMERS)
    with page.expect_response("**/api/v1/run-states"):
        site.show(page, "run")
    mark_run(graph, site.run, RunState.COMPLETED, "repaired by hand", author="ann")
    expect(page.get_by_role("group", name="By hand")).to_contain_text("repaired by hand")


def test_a_change_that_is_refused_shows_why(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.add_init_script(NO_TIMERS)
    page.route("**/api/v1/run-states", lambda route: route.abort())
    site.show(page, "run")
    mark_run(graph, site.run, RunState.COMPLETED, "repaired by hand", author="ann")
    page.get_by_role("button", name="Acknowledge").click()
    view = page.get_by_label("Live run")
    expect(view.get_by_role("status")).to_contain_text("is no failure")
    expect(view).to_contain_text("repaired by hand")


def test_the_run_of_a_pane_stays_when_a_newer_one_comes(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.goto(f"{site.url}/#/job/load/default//Run%20again")
    pane, facts = page.get_by_role("tabpanel"), page.locator(".lg-facts")
    expect(pane).to_contain_text(site.run)
    newer = run_event("load")
    graph.write(commit, extract([newer]))
    bars = page.get_by_label("Runs, the newest right").get_by_role("option")
    expect(bars).to_have_count(3, timeout=10_000)
    expect(facts).to_contain_text(site.run)
    expect(pane).to_contain_text(site.run)
    chosen = page.locator(".lg-bars [aria-selected=true]")
    expect(chosen).to_have_attribute("data-run", site.run)
    page.get_by_role("tab", name="Timeline").click()
    expect(facts).to_contain_text(newer["run"]["runId"])


def test_tokens_of_others_are_seen_and_a_confirmation_lapses(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    add_token(graph, "ci", {Role.READ: frozenset("*")})
    page.clock.install()
    page.goto(site.address("tokens"))
    revoke = page.get_by_title("Revoke ci")
    revoke.click()
    expect(revoke).to_have_text("Revoke: sure?")
    page.clock.run_for(5_000)
    expect(revoke).to_have_text("Revoke")
    expect(revoke).to_be_focused()
    add_token(graph, "another", {Role.READ: frozenset("*")})
    page.clock.run_for(11_000)
    expect(page.get_by_role("row").filter(has_text="another")).to_be_visible()
    expect(revoke).to_be_focused()
    revoke_token(graph, "ci")
    page.clock.run_for(11_000)
    expect(revoke).to_have_count(0)


def test_a_token_that_was_added_anew_meanwhile_is_not_revoked(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    add_token(graph, "ci", {Role.READ: frozenset("*")})
    page.add_init_script(NO_TIMERS)
    page.goto(site.address("tokens"))
    revoke = page.get_by_title("Revoke ci")
    revoke.click()
    revoke_token(graph, "ci")
    add_token(graph, "ci", {Role.READ: frozenset("*")})
    revoke.click()
    view = page.get_by_label("Tokens", exact=True)
    expect(view.get_by_role("status").first).to_contain_text("named 'ci' was revoked meanwhile")
    assert [one.name for one in list_tokens(graph)] == ["ci"]
    revoke.click()
    expect(revoke).to_have_text("Revoke: sure?")
    revoke.click()
    expect(revoke).to_have_count(0)
    assert list_tokens(graph) == []


def test_a_tab_that_is_seen_again_loads_at_once(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.add_init_script(NO_TIMERS)
    page.route("**/api/v1/run-states", lambda route: route.abort())
    site.show(page, "now")
    page.evaluate(TURN, True)
    graph.write(commit, extract([run_event("another", "FAIL")]))
    page.evaluate(TURN, False)
    expect(page.get_by_role("region", name="Failed")).to_contain_text("another")


def test_what_stands_still_while_text_is_selected_says_so(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.clock.install()
    site.show(page, "now")
    failed = page.get_by_role("region", name="Failed")
    # In one step: the first loads replace what is not selected yet.
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.lg-group'))")
    graph.write(commit, extract([run_event("another", "FAIL")]))
    page.clock.run_for(6_000)
    held = page.get_by_text("it stands still while text in it is selected")
    expect(held).to_be_visible()
    expect(failed).not_to_contain_text("another")
    page.evaluate("getSelection().removeAllRanges()")
    page.clock.run_for(6_000)
    expect(failed).to_contain_text("another")
    expect(held).to_be_hidden()


def test_a_day_that_is_not_over_is_asked_for_again(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    page.clock.install()
    site.show(page, "days")
    compared = page.get_by_role("region", name="Compare two days")
    path = page.get_by_role("region", name="Critical path")
    expect(compared).to_contain_text("load")
    expect(path).to_contain_text("report")
    late = run_event("late", at=datetime.now(UTC))
    graph.write(record, extract([late]))
    page.clock.run_for(71_000)
    expect(compared).to_contain_text("late")
    expect(path).to_contain_text("late")
