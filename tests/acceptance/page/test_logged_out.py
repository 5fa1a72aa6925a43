"""The page when a token is revoked or a session ends while it is open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.graph import Graph
from lineagegraph.model.access import Role
from tests.acceptance.page.site import Site

RIGHTS = dict.fromkeys((Role.READ, Role.OPERATE), frozenset("*"))
# Where something is typed.
TYPED = {"run": "Reason or note", "freshness": "Not older than", "backfills": "Pipeline"}


def log_in(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("view", TYPED)
def test_what_was_typed_is_kept_when_the_token_is_revoked(
    serve: Callable[..., Site], graph: Graph, page: Page, view: str
) -> None:
    site = serve(host="0.0.0.0")
    first, second = (add_token(graph, name, RIGHTS) for name in ("ann", "ann again"))
    page.goto(site.address(view))
    log_in(page, first)
    field, shown = page.get_by_label(TYPED[view], exact=True), page.locator("[data-widget]")
    field.fill("12h, as agreed")
    revoke_token(graph, "ann")
    prompt = page.get_by_label("Token")
    # The next regular load is refused.
    expect(prompt).to_be_focused(timeout=30_000)
    expect(shown).to_be_hidden()
    log_in(page, "lgt_wrong")
    expect(page.locator(".page-token")).to_contain_text("unknown or revoked")
    expect(shown).to_be_hidden()
    log_in(page, second)
    expect(prompt).to_have_count(0)
    expect(shown).to_be_visible()
    expect(field).to_have_value("12h, as agreed")


def test_a_change_that_was_refused_for_its_token_says_so_and_is_made_after_it(
    serve: Callable[..., Site], graph: Graph, page: Page
) -> None:
    token, site = add_token(graph, "ann", RIGHTS), serve(host="0.0.0.0")
    # Nothing loads by itself: the change is what is refused.
    page.add_init_script("window.setInterval = () => 0")
    page.goto(site.address("run"))
    log_in(page, token)
    note = page.get_by_label("Reason or note")
    note.fill("the vendor was asked")
    page.evaluate("sessionStorage.setItem('lineagegraph.token', 'lgt_revoked')")
    page.get_by_role("button", name="Add note").click()
    log_in(page, token)
    told = page.get_by_label("Live run").get_by_role("status").first
    expect(told).to_contain_text("Nothing was changed")
    page.get_by_role("button", name="Add note").click()
    expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")
    expect(told).to_be_hidden()


def test_a_tab_whose_session_was_ended_in_another_goes_on_after_a_login_there(
    serve: Callable[..., Site], graph: Graph, browser: Browser
) -> None:
    signed = {"Authorization": f"Bearer {add_token(graph, 'ann', RIGHTS)}"}
    site = serve(host="0.0.0.0")
    with browser.new_context(base_url=site.url) as context:
        begun = context.request.post("/api/v1/session", headers=signed).json()
        page = context.new_page()
        site.show(page, "run")
        page.get_by_label("Reason or note").fill("the vendor was asked")
        sent = {"X-CSRF-Token": begun["csrfToken"]}
        assert context.request.delete("/api/v1/session", headers=sent).status == 204
        expect(page.get_by_label("Token")).to_be_visible(timeout=30_000)
        expect(page.get_by_label("Live run")).to_be_hidden()
        assert context.request.post("/api/v1/session", headers=signed).status == 201
        page.evaluate("dispatchEvent(new Event('focus'))")
        expect(page.get_by_label("Token")).to_have_count(0)
        page.get_by_role("button", name="Add note").click()
        expect(page.get_by_role("group", name="By hand")).to_contain_text("the vendor was asked")


def test_a_logout_ends_the_session_and_forgets_the_token_of_the_tab(
    serve: Callable[..., Site], graph: Graph, browser: Browser
) -> None:
    first, second = (add_token(graph, name, RIGHTS) for name in ("ann", "j\xf6rg, night"))
    site = serve(host="0.0.0.0")
    with browser.new_context(base_url=site.url) as context:
        signed = {"Authorization": f"Bearer {second}"}
        assert context.request.post("/api/v1/session", headers=signed).status == 201
        page = context.new_page()
        site.show(page, "run")
        out, prompt = page.get_by_role("button", name="Log out"), page.get_by_label("Token")
        expect(out).to_have_attribute("title", "Logged in as j\xf6rg, night")
        out.click()
        expect(prompt).to_be_visible()
        expect(out).to_be_hidden()
        assert context.request.get("/api/v1/session").status == 401
        assert context.cookies() == []
        log_in(page, first)
        expect(out).to_have_attribute("title", "Logged in as ann")
        out.click()
        expect(prompt).to_be_visible()
        page.reload()
        expect(prompt).to_be_visible()
        expect(page.get_by_label("Live run")).to_be_hidden()


def test_an_open_page_offers_no_logout(serve: Callable[..., Site], page: Page) -> None:
    serve().show(page, "run")
    expect(page.get_by_label("Reason or note")).to_be_visible()
    expect(page.get_by_role("button", name="Log out")).to_be_hidden()


def test_a_logout_while_the_server_is_away_says_that_it_did_not_happen(
    serve: Callable[..., Site], graph: Graph, browser: Browser
) -> None:
    site = serve(host="0.0.0.0")
    signed = {"Authorization": f"Bearer {add_token(graph, 'ann', RIGHTS)}"}
    with browser.new_context(base_url=site.url) as context:
        assert context.request.post("/api/v1/session", headers=signed).status == 201
        page = context.new_page()
        site.show(page, "run")
        out = page.get_by_role("button", name="Log out")
        expect(out).to_be_visible()
        context.set_offline(True)
        out.click()
        expect(page.get_by_role("banner")).to_contain_text("still logged in")
        context.set_offline(False)
        page.get_by_role("banner").get_by_role("button").click()
        expect(page.get_by_label("Token")).to_be_visible()
        assert context.request.get("/api/v1/session").status == 401
