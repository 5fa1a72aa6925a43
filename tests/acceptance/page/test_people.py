"""The page for all people: axe, dark mode, 200 % zoom, a phone, and what a role may not do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.mutes import list_mutes, mute_job
from lineagegraph.admin.namespaces import attach_tags
from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.names.keys import dataset_key, field_key
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.triggers.triggers import read_triggers
from lineagegraph.reading.sync import sync_path
from lineagegraph.settings import Settings
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.pause import pause_all
from tests.acceptance.page.site import LONG, SHOWN, Site, make_by_hand
from tests.events import run_event

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
MORE = """
from datetime import date
import lineagegraph as lg
from lineagegraph import on

lg.pipeline("sales", tasks=[lg.command("sum", ["true"])],
    params={"day": date, "region": str}, partition_by=["day", "region"])
lg.pipeline("hourly", tasks=[lg.command("write", ["true"])], trigger=on.cron("0 * * * *"))
lg.pipeline("after", tasks=[lg.command("write", ["true"])], trigger=on.success("hourly"))
"""
TAGGED = """
MATCH (n {key: $key}) WHERE n:Dataset OR n:Field
RETURN COLLECT { MATCH (n)-[:TAGGED]->(t) RETURN t.name ORDER BY t.name } AS tags
"""
LONG_JOB = f"finance.{'a_name_without_blanks_that_' * 3}goes_on"
SIZES = {"screen": (1400, 1000, 1), "zoomed to 200 %": (640, 480, 2), "phone": (390, 844, 2)}
# What people stumble over: a view without a title, what is cut off, too small to read or to hit.
FAULTS = """() => {
  const shown = [...document.querySelectorAll("body *")].filter((e) =>
    e.getClientRects().length && !e.closest("svg"));
  const scrolls = (e) => e && (/auto|scroll/.test(getComputedStyle(e).overflowX)
    || scrolls(e.parentElement));
  const name = (e) => `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 40)}`;
  const titles = shown.filter((e) => e.matches("h1") && e.textContent.trim());
  const text = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const box = (e) => e.getBoundingClientRect();
  const hit = (e) => box(e.matches("[type=checkbox]") ? e.closest("label") : e);
  const least = (e) => Math.min(hit(e).width, hit(e).height);
  // A pointer hits links of a table, whose rows are far enough apart; a thumb does not.
  const links = innerWidth > 720 ? "" : "a[href], ";
  const targets = `${links}button, input, select, textarea, summary, [role=option]`;
  const faults = {
    "cut off": shown.filter((e) => box(e).right > innerWidth + 1 && !scrolls(e)),
    "hard to read": shown.filter((e) => text(e) && parseFloat(getComputedStyle(e).fontSize) < 11),
    "hard to hit": shown.filter((e) => e.matches(targets) && least(e) < 24),
  };
  return [
    ...(titles.length === 1 ? [] : [`${titles.length} titles`]),
    ...Object.entries(faults).flatMap(([fault, found]) => found.map((e) => `${fault}: ${name(e)}`)),
  ];
}"""
# What a view says that has nothing to show.
EMPTY = {
    "now": "Running (0)",
    "lineage": "No jobs or datasets yet.",
    "triggers": "No triggers yet.",
    "freshness": "No terms yet.",
    "sensors": "No sensors yet.",
    "backfills": "No backfills yet.",
    "days": "Nothing ran on either day.",
    "tags": "No tags yet.",
    "tokens": "No tokens yet.",
    "job/none/default": "no job 'none'",
    "run/none": "no run 'none'",
}


def serious(page: Page) -> list[str]:
    """What axe finds that is serious or worse, with the elements."""
    assert AXE.is_file(), "axe-core is missing: `make lint` installs it"
    page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(found => found.violations)")
    return [
        f"{one['id']}: {one['help']}: {node['html'][:120]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    serve: Callable[..., Site], browser: Browser, scheme: Any
) -> None:
    site = serve()
    with browser.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        found = []
        for view in SHOWN:
            site.show(page, view)
            found += [f"{view}: {one}" for one in serious(page)]
        assert not found, "\n".join(found)


def test_a_dark_system_has_a_dark_page(serve: Callable[..., Site], browser: Browser) -> None:
    site = serve()
    with browser.new_context(color_scheme="dark") as context:
        page = context.new_page()
        site.show(page, "now")
        colours = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
        for element in (page.locator("body"), page.get_by_label("Now").first):
            paper, ink = (sum(numbers(text)) for text in element.evaluate(colours))
            assert paper < 200 < ink
        page.emulate_media(color_scheme="light")
        site.show(page, "now")
        paper, ink = (sum(numbers(text)) for text in page.locator("body").evaluate(colours))
        assert ink < 200 < paper


def numbers(colour: str) -> list[int]:
    return [int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]


@pytest.mark.parametrize("size", SIZES)
def test_views_fit_the_screen_and_can_be_read_and_hit(
    serve: Callable[..., Site], graph: Graph, browser: Browser, size: str
) -> None:
    graph.write(record, extract([run_event(LONG_JOB, "FAIL", outputs=(("lake", LONG),))]))
    attach_tags(graph, dataset_key("lake", LONG), ["tag_without_blanks_" * 15])
    site, (width, height, scale) = serve(), SIZES[size]
    viewport = {"width": width, "height": height}
    table = f"dataset:lake:{LONG}".replace("/", "%2F")
    long = [f"job/{LONG_JOB}/default", f"lineage/{table}", f"freshness/{table}"]
    with browser.new_context(viewport=viewport, device_scale_factor=scale) as context:  # type: ignore[arg-type]
        page = context.new_page()
        found = []
        for view in (*SHOWN, *long):
            if view in SHOWN:
                site.show(page, view)
            else:
                page.goto(f"{site.url}/#/{view}")
                expect(page.locator("#view")).to_contain_text(
                    LONG[-40:] if "lake" in view else LONG_JOB
                )
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
            found += [f"{view}: {fault}" for fault in page.evaluate(FAULTS)]
        assert not found, "\n".join(found)


def test_a_view_without_anything_says_so(start: Callable[..., str], page: Page) -> None:
    url = start()
    for view, sentence in EMPTY.items():
        page.goto(f"{url}/#/{view}")
        expect(page.locator("#view")).to_contain_text(sentence)
        expect(page.locator("#view").get_by_role("heading", level=1)).not_to_be_empty()


def test_a_list_says_why_it_shows_nothing(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site, view = serve(), page.locator("#view")
    set_terms(graph, dataset_key("lake", LONG), Terms(freshness=Freshness(max_age=1e7)))
    page.goto(f"{site.url}/#/freshness")
    page.get_by_label("only stale ones").check()
    expect(view).to_contain_text("Nothing is stale.")
    page.goto(f"{site.url}/#/tags")
    expect(view).to_contain_text("Choose a tag")
    site.show(page, "triggers")
    page.get_by_label("search triggers").fill("nightly")
    expect(view).to_contain_text("No trigger has this in its name or condition.")


@pytest.mark.parametrize(
    ("view", "text"),
    [
        ("days", "Took"),
        ("tags", "PII"),
        ("tokens", "No tokens yet."),
        ("lineage", "jobs, 2 datasets"),
    ],
)
def test_a_view_without_a_regular_load_shows_its_answer_when_the_server_is_back(
    serve: Callable[..., Site], page: Page, view: str, text: str
) -> None:
    site = serve()
    page.clock.install()
    page.route("**/api/**", lambda route: route.abort())
    page.goto(f"{site.url}/#/{view}")
    expect(page.locator("#view")).to_contain_text("trying again")
    page.unroute("**/api/**")
    page.clock.run_for(11_000)
    expect(page.locator("#view")).to_contain_text(text)
    expect(page.get_by_text("trying again")).to_be_hidden()


def test_a_view_says_that_it_loads_until_its_last_answer_is_there(
    serve: Callable[..., Site], page: Page
) -> None:
    site = serve()
    held: list[Route] = []
    page.route("**/explorer/lineage", lambda route: held.append(route))
    with page.expect_response("**/explorer/since"):
        page.goto(site.address("lineage"))
    expect(page.get_by_text("Loading…")).to_be_visible()
    held.pop().continue_()
    expect(page.locator("#view")).to_contain_text("1 before and 1 after")
    expect(page.get_by_text("Loading…")).to_be_hidden()


def test_a_firing_leads_to_its_run_which_says_when_it_began(
    serve: Callable[..., Site], page: Page
) -> None:
    site = serve()
    site.show(page, "triggers")
    page.get_by_role("button", name="Fire", exact=True).click()
    page.get_by_role("row").filter(has_text="PENDING").get_by_role("link").click()
    expect(page.get_by_label("Live run")).to_contain_text("has not begun")
    site.show(page, "run")
    expect(page.get_by_label("Live run")).to_contain_text(f"began {datetime.now(UTC):%a %Y}")


@pytest.mark.parametrize("node", ["dataset:lake:gold%2Fprices", "job:default:report"])
def test_a_description_and_owners_are_edited_and_the_lineage_stays(
    serve: Callable[..., Site], graph: Graph, page: Page, node: str
) -> None:
    site = serve()
    page.goto(f"{site.url}/#/lineage/{node}")
    pane, status = page.get_by_label("Details"), page.locator(".lg-status")
    expect(pane).to_contain_text("namespace")
    around = status.text_content()
    pane.get_by_text("Describe", exact=True).click()
    pane.get_by_label("Description").fill("<b>Prices</b> of the day")
    pane.get_by_label("Owners").fill("team:pricing, ann")
    pane.get_by_role("button", name="Save").click()
    expect(pane).to_contain_text("ownerteam:pricing, ann")
    expect(pane).to_contain_text("description<b>Prices</b> of the day")
    page.reload()
    expect(pane).to_contain_text("ownerteam:pricing, ann")
    expect(status).to_have_text(around or "")
    pane.get_by_text("Describe", exact=True).click()
    pane.get_by_label("Owners").fill("")
    pane.get_by_role("button", name="Save").click()
    expect(pane).not_to_contain_text("team:pricing")
    expect(pane).to_contain_text("description<b>Prices</b> of the day")


def test_tags_are_offered_to_who_may_write(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    operator = add_token(graph, "ann", dict.fromkeys((Role.READ, Role.OPERATE), frozenset("*")))
    writer = add_token(graph, "bob", dict.fromkeys((Role.READ, Role.WRITE), frozenset("*")))
    site = serve(host="0.0.0.0")
    page.goto(site.url)
    for token, offered in ((operator, False), (writer, True)):
        page.evaluate("token => sessionStorage.setItem('lineagegraph.token', token)", token)
        page.reload()
        site.show(page, "lineage")
        expect(page.get_by_label("Details")).to_contain_text("PII")
        for name in ("Add tag", "Take off tag PII"):
            expect(page.get_by_role("button", name=name)).to_have_count(int(offered))
        expect(page.get_by_text("Describe", exact=True)).to_be_visible(visible=offered)


@pytest.mark.parametrize(("roles", "offered"), [("read", False), ("operate", True)])
def test_what_a_role_may_not_do_is_not_offered(
    serve: Callable[..., Site], graph: Graph, page: Page, roles: str, offered: bool
) -> None:
    covers = {Role(role): frozenset("*") for role in {"read", roles}}
    token = add_token(graph, "ann", covers)
    site = serve(host="0.0.0.0")
    page.goto(site.url)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Continue").click()
    for view, kind, names in (
        ("run", "button", ("Add note", "Acknowledge", "Mark as succeeded")),
        ("triggers", "button", ("New trigger", "Disable", "Copy", "Fire")),
        ("job", "tab", ("Run again", "Start a run")),
        ("job", "link", ("Backfill", "New trigger")),
        ("freshness", "button", ("Set",)),
        ("backfills", "button", ("Start backfill",)),
        ("sensors", "button", ("Settle by hand",)),
    ):
        site.show(page, view)
        for name in names:
            found = page.get_by_role(kind, name=name, exact=True)  # type: ignore[arg-type]
            expect(found).to_have_count(int(offered))
    site.show(page, "now")
    expect(page.get_by_text("Pause all triggers")).to_be_visible(visible=offered)
    for view in ("job", "run"):
        site.show(page, view)
        expect(page.get_by_text("Mute failures")).to_be_visible(visible=offered)
    expect(page.get_by_role("link", name="Tokens")).to_have_count(0)


def test_a_session_of_a_login_asks_and_acts(
    serve: Callable[..., Site], graph: Graph, browser: Browser
) -> None:
    token = add_token(graph, "ann", dict.fromkeys((Role.READ, Role.OPERATE), frozenset("*")))
    site = serve(host="0.0.0.0")
    with browser.new_context(base_url=site.url) as context:
        made = context.request.post("/api/v1/session", headers={"Authorization": f"Bearer {token}"})
        assert made.status == 201
        page = context.new_page()
        site.show(page, "run")
        page.get_by_label("Reason or note").fill("the vendor was asked")
        page.get_by_role("button", name="Add note").click()
        expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")


def test_a_tag_is_added_to_a_table_and_a_column_and_taken_off(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    serve().show(page, "lineage")
    pane = page.get_by_label("Details")
    for tag in ("critical", "<b>finance</b>"):
        pane.get_by_label("New tag").fill(tag)
        pane.get_by_role("button", name="Add tag").click()
        expect(pane.get_by_role("button", name=f"Take off tag {tag}")).to_be_visible()
    pane.get_by_role("button", name="Take off tag critical").click()
    expect(pane.get_by_role("button", name="Take off tag critical")).to_have_count(0)
    (table,) = graph.query(TAGGED, {"key": dataset_key("lake", "gold/prices")})
    assert table["tags"] == ["<b>finance</b>", "PII"]
    pane.get_by_role("button", name="price", exact=True).click()
    expect(pane).to_contain_text("column price")
    pane.get_by_label("New tag").fill("GDPR")
    pane.get_by_label("New tag").press("Enter")
    expect(pane.get_by_role("button", name="Take off tag GDPR")).to_be_visible()
    (column,) = graph.query(TAGGED, {"key": field_key(dataset_key("lake", "gold/prices"), "price")})
    assert column["tags"] == ["GDPR"]


@pytest.mark.parametrize("view", ["job", "run"])
def test_failures_of_a_job_are_muted_with_a_reason_and_an_end_and_unmuted(
    serve: Callable[..., Site], graph: Graph, page: Page, view: str
) -> None:
    site = serve()
    site.show(page, view)
    page.get_by_text("Mute failures").click()
    page.get_by_label("Reason", exact=True).fill("the vendor is down")
    page.get_by_label("Until (UTC)").fill("2036-01-01T06:00")
    page.get_by_role("button", name="Mute", exact=True).click()
    mark = page.get_by_text("Failures of load are muted until 1 Jan, Tue 2036-01-01 06:00:00 UTC")
    expect(mark).to_contain_text("the vendor is down")
    (mute,) = list_mutes(graph)
    assert (mute.job, mute.reason) == ("load", "the vendor is down")
    assert mute.expires_at == datetime(2036, 1, 1, 6, tzinfo=UTC)
    for other in ("job", "run"):
        site.show(page, other)
        expect(mark).to_be_visible()
    page.get_by_role("button", name="Unmute").click()
    expect(mark).to_be_hidden()
    assert list_mutes(graph) == []


def test_a_mute_of_a_pipeline_is_told_on_the_page_of_its_task(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    until = datetime.now(UTC) + timedelta(days=1)
    mute_job(graph, find_job(graph, "report").key, "the vendor is down", until)
    page.goto(f"{site.url}/#/job/report.write/default")
    expect(page.get_by_text("Failures of report are muted until")).to_be_visible()
    page.get_by_role("button", name="Unmute").click()
    expect(page.get_by_text("Failures of report are muted until")).to_be_hidden()
    assert list_mutes(graph) == []


def test_a_pause_of_all_triggers_is_told_on_two_views(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    until = datetime.now(UTC) + timedelta(days=2)
    graph.write(pause_all, "the weekend", until, author="ann")
    for view in ("now", "triggers"):
        site.show(page, view)
        banner = page.get_by_text("All triggers are paused until")
        expect(banner).to_contain_text("the weekend")
        expect(banner).to_contain_text("ann")


def test_all_triggers_are_paused_and_resumed_with_the_keyboard_alone(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    serve().show(page, "triggers")
    page.get_by_text("Pause all triggers").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reason", exact=True)).to_be_focused()
    page.keyboard.type("the weekend")
    page.keyboard.press("Enter")
    banner = page.get_by_text("All triggers are paused until they are resumed: the weekend")
    expect(banner).to_be_visible()
    assert graph.read(get_pause, now=None) is not None
    page.get_by_role("button", name="Resume all triggers").focus()
    page.keyboard.press("Enter")
    expect(banner).to_be_hidden()
    assert graph.read(get_pause, now=None) is None


def test_a_refusal_stays_until_the_next_try(serve: Callable[..., Site], page: Page) -> None:
    serve().show(page, "run")
    page.get_by_role("button", name="Mark as succeeded").click()
    told = page.get_by_label("Live run").get_by_role("status")
    expect(told).to_contain_text("reason")
    # Longer than two regular loads.
    page.wait_for_timeout(3000)
    expect(told).to_contain_text("reason")
    page.get_by_label("Reason or note").fill("loaded by hand")
    page.get_by_role("button", name="Mark as succeeded").click()
    expect(told).to_be_hidden()


def test_a_trigger_is_made_from_names_that_are_typed_whole(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    serve().show(page, "triggers")
    page.get_by_role("button", name="New trigger").click()
    for label, text in (("name", "again"), ("starts pipeline", "report"), ("job", "load")):
        page.get_by_label(label, exact=True).first.fill(text)
        page.keyboard.press("Tab")
    expect(page.locator("#view")).to_contain_text("It would")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#view")).to_contain_text("again starts report")
    (made,) = (one for one in read_triggers(graph) if one.name == "again")
    assert made.text == "load COMPLETED"


def begin_a_trigger(page: Page) -> list[Route]:
    """Open the form of a new trigger of *report*; answers about parameters are held back."""
    held: list[Route] = []
    page.route("**/trigger_panel/parameters", lambda route: held.append(route))
    page.get_by_role("button", name="New trigger").click()
    page.get_by_label("starts pipeline", exact=True).first.fill("report")
    return held


def begin_its_job(page: Page) -> tuple[Locator, list[Route]]:
    """Open such a form and enter its field *job*; return this, and the answers held back."""
    held = begin_a_trigger(page)
    job = page.get_by_label("job", exact=True).first
    with page.expect_request("**/trigger_panel/parameters"):
        job.click()
    return job, held


def test_a_name_stays_as_it_is_typed_while_answers_come_in(
    serve: Callable[..., Site], page: Page
) -> None:
    serve().show(page, "triggers")
    held = begin_a_trigger(page)
    name = page.get_by_label("name", exact=True).first
    with page.expect_request("**/trigger_panel/parameters"):
        name.click()
    page.keyboard.type("nihtly")
    name.evaluate("name => { name.setSelectionRange(2, 2); name.dataset.old = true; }")
    held.pop().continue_()
    # The form is drawn again with the answer.
    expect(page.locator("[data-old]")).to_have_count(0)
    page.keyboard.type("g")
    expect(name).to_have_value("nightly")
    expect(name).to_be_focused()


def test_half_of_a_name_is_not_taken_when_the_form_is_drawn_again(
    serve: Callable[..., Site], page: Page
) -> None:
    serve().show(page, "triggers")
    job, held = begin_its_job(page)
    # It is a job, and the start of a longer name.
    with page.expect_request(lambda one: "load" in (one.post_data or "")):
        page.keyboard.type("load")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    held.pop().continue_()
    expect(page.locator("#view")).to_contain_text("needs the name of a job")
    expect(job).to_have_value("load")
    assert "jobs" not in asked


def test_a_name_that_is_about_to_be_chosen_by_keys_can_be_chosen_after_an_answer_came(
    serve: Callable[..., Site], page: Page
) -> None:
    serve().show(page, "triggers")
    job, held = begin_its_job(page)
    with page.expect_response(lambda one: '"load"' in (one.request.post_data or "")):
        page.keyboard.type("load")
    option = page.locator("li[role=option]:visible").first
    option.wait_for()
    page.keyboard.press("ArrowDown")
    expect(option).to_be_focused()
    with page.expect_response("**/trigger_panel/parameters"):
        held.pop().continue_()
    expect(page.locator("#view")).to_contain_text("needs the name of a job")
    expect(option).to_be_focused()
    job.evaluate("job => { job.dataset.old = true; }")
    page.keyboard.press("Enter")
    expect(page.locator("[data-old]")).to_have_count(0)
    expect(job).to_have_value("load")
    expect(job).to_be_focused()


def test_another_job_that_is_chosen_while_a_payload_is_asked_for_does_no_harm(
    serve: Callable[..., Site], page: Page
) -> None:
    serve().show(page, "triggers")
    held: list[Route] = []
    page.route("**/trigger_panel/payload", lambda route: held.append(route))
    page.get_by_role("button", name="New trigger").click()
    job = page.get_by_label("job", exact=True).first
    job.fill("load")
    page.keyboard.press("Tab")
    while not held:
        page.wait_for_timeout(50)
    answer = held[0].fetch()
    job.fill("report")
    with page.expect_response(lambda one: "jobs" in one.url and "report" in one.request.post_data):
        page.keyboard.press("Tab")
    held[0].fulfill(response=answer)
    page.wait_for_timeout(1000)
    expect(job).to_have_value("report")


def test_a_form_that_is_opened_while_a_trigger_is_deleted_stays(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    site = serve()
    make_by_hand(graph)
    page.goto(f"{site.url}/#/triggers/by%20hand")
    held: list[Route] = []
    page.route("**/trigger_panel/delete", lambda route: held.append(route))
    for name in ("Delete", "Delete: sure?"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="New trigger").click()
    name = page.get_by_label("name", exact=True).first
    name.fill("nightly")
    with page.expect_response("**/trigger_panel/list"):
        held.pop().continue_()
    expect(page.locator("#view")).to_contain_text("deleted")
    expect(name).to_have_value("nightly")
    expect(name).to_be_focused()


def test_a_backfill_is_previewed_started_paused_resumed_and_cancelled(
    serve: Callable[..., Site], graph: Graph, page: Page, tmp_path: Path
) -> None:
    (tmp_path / "more.py").write_text(MORE)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "more.py")
    page.goto(f"{serve().url}/#/backfills")
    for label, text in (
        ("Pipeline", "sales"),
        ("day from", "2026-03-01"),
        ("day to", "2026-03-03"),
        ("region", "EU, US"),
    ):
        page.get_by_label(label, exact=True).fill(text)
        page.keyboard.press("Tab")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("6 would run, 0 would be left out")).to_be_visible()
    page.get_by_role("button", name="Start backfill").click()
    shown = page.get_by_role("region", name="Partitions")
    expect(shown).to_contain_text("0 of 6 done")
    expect(shown).to_contain_text("day=2026-03-03, region=US")
    for button, text in (("Pause", "PAUSED"), ("Resume", "RUNNING"), ("Cancel", "CANCELLED")):
        page.get_by_role("button", name=f"{button} backfill").click()
        expect(shown).to_contain_text(text)


def test_a_stale_table_leads_to_its_writer_cause_and_reader_in_three_clicks(
    serve: Callable[..., Site], page: Page
) -> None:
    site = serve()
    site.show(page, "now")
    page.get_by_role("region", name="Stale").get_by_role("link").click()
    why = page.get_by_role("region", name="Why")
    for text in ("writer", "load, FAILED", "no trigger here starts load", "cause", "owner unknown"):
        expect(why).to_contain_text(text)
    site.show(page, "lineage")
    expect(page.get_by_label("Details")).to_contain_text("report: reads the dataset, makes nothing")


def test_the_next_hours_are_foreseen(
    serve: Callable[..., Site], graph: Graph, page: Page, tmp_path: Path
) -> None:
    (tmp_path / "more.py").write_text(MORE)
    sync_path(graph, Settings(home=tmp_path / "home"), tmp_path / "more.py")
    serve().show(page, "now")
    coming = page.get_by_role("region", name="Next 12 hours")
    expect(coming).to_contain_text("hourly COMPLETED")
    expect(page.get_by_role("region", name="Stale in 12 hours")).to_contain_text(
        "no trigger here starts load"
    )


def test_a_note_is_added_with_the_keyboard_alone(serve: Callable[..., Site], page: Page) -> None:
    serve().show(page, "run")
    page.get_by_label("Reason or note").focus()
    page.keyboard.type("the vendor was asked")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")
