"""A browser's session has the rights of its token or user, on every server, until it is over."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from time import time
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
import pytest
import trustme
from playwright.sync_api import Page, expect

from lineagegraph.admin.sessions import end_sessions_of
from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, load_tls, make_application
from lineagegraph.model.access import Role
from lineagegraph.settings import Settings
from tests.acceptance.login.conftest import RunningProvider, Serve
from tests.acceptance.login.test_tls import issue, trusting
from tests.acceptance.processes import until

SESSION, JOBS, SHOP = "/api/v1/session", "/api/v1/jobs", "/api/v1/namespaces/shop"
OWNER = {"ownerName": "me"}


def exchange(client: httpx.Client, graph: Graph, **more: timedelta) -> dict[str, str]:
    """Log in with a token of the name ci; return the header that changes need."""
    token = add_token(graph, "ci", {Role.READ: frozenset("*"), Role.WRITE: {"shop"}}, **more)
    made = client.post(SESSION, headers={"Authorization": f"Bearer {token}"})
    assert made.status_code == 201, made.text
    return {"X-CSRF-Token": made.json()["csrfToken"]}


def test_a_session_has_the_rights_of_its_token_and_changes_need_its_csrf_token(
    serve: Serve, graph: Graph
) -> None:
    client = serve()
    own = exchange(client, graph)
    assert client.get(JOBS).status_code == 200
    shown = client.get(SESSION).json()
    assert (shown["kind"], shown["name"]) == ("token", "ci")
    assert shown["roles"] == {"read": ["*"], "write": ["shop"], "operate": [], "admin": []}
    assert shown["csrfToken"] == own["X-CSRF-Token"]
    for wrong in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": "x"}):
        refused = client.put(SHOP, json=OWNER, headers=wrong)
        assert refused.status_code == 403
        assert "X-CSRF-Token" in refused.json()["error"]
    assert client.put(SHOP, json=OWNER, headers=own).status_code == 200
    assert client.put("/api/v1/namespaces/bank", json=OWNER, headers=own).status_code == 403
    cookie = client.cookies["lineagegraph_session"]
    ((kept,),) = (row.values() for row in graph.query("MATCH (s:Session) RETURN properties(s)"))
    assert cookie not in str(kept)
    for made_up in (cookie[:-1], kept["hash"], "x" * 5_000, "\xe9"):
        sent = {"Cookie": f"lineagegraph_session={made_up}".encode("latin-1")}
        assert httpx.get(client.base_url.join(JOBS), headers=sent).status_code == 401


def test_a_logout_ends_the_session_on_all_servers(serve: Serve, graph: Graph) -> None:
    here, there = serve(), serve()
    own = exchange(here, graph)
    there.cookies = dict(here.cookies)
    assert there.get(JOBS).status_code == 200
    cookie = dict(here.cookies)
    assert here.delete(SESSION).status_code == 403
    assert here.delete(SESSION, headers=own).status_code == 204
    assert "lineagegraph_session" not in here.cookies
    assert httpx.get(here.base_url.join(JOBS), cookies=cookie).status_code == 401
    until(lambda: there.get(JOBS).status_code == 401, seconds=4)
    assert there.get(JOBS).json()["error"] == "the session is over: log in again"


def test_revoking_a_token_ends_its_sessions(serve: Serve, graph: Graph) -> None:
    client = serve()
    exchange(client, graph)
    revoke_token(graph, "ci")
    # Another token of that name does not bring it back.
    add_token(graph, "ci", {Role.READ: frozenset("*")})
    until(lambda: client.get(JOBS).status_code == 401, seconds=4)


@pytest.mark.parametrize("ends", ["session_idle", "session_lifetime"])
def test_sessions_end_when_they_are_idle_or_old(serve: Serve, graph: Graph, ends: str) -> None:
    client = serve(**{ends: timedelta(seconds=1.5)})
    exchange(client, graph)
    assert client.get(JOBS).status_code == 200
    if ends == "session_lifetime":
        until(lambda: client.get(JOBS).status_code == 401, seconds=5)
    else:
        graph.query("MATCH (s:Session) SET s.used_at = s.used_at - duration('PT1H')", write=True)
        other = serve(**{ends: timedelta(seconds=1.5)})
        other.cookies = dict(client.cookies)
        assert other.get(JOBS).status_code == 401


def test_over_tls_the_cookie_is_secure_and_bound_to_the_host(
    graph: Graph, settings: Settings, tmp_path: Path
) -> None:
    authority = trustme.CA()
    files = issue(authority, tmp_path)
    token = add_token(graph, "ci", {Role.READ: frozenset("*")})
    own = settings.model_copy(update={"home": tmp_path, "host": "0.0.0.0"})
    server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0), load_tls(files))
    server.start()
    with httpx.Client(base_url=server.url, verify=trusting(authority)) as client:
        made = client.post(SESSION, headers={"Authorization": f"Bearer {token}"})
        answered = client.get(JOBS).status_code
        unsafe = {"Cookie": made.headers["Set-Cookie"].removeprefix("__Host-")}
        refused = httpx.get(f"{server.url}{JOBS}", headers=unsafe, verify=trusting(authority))
    server.stop()
    assert (made.status_code, answered, refused.status_code) == (201, 200, 401)
    name, *attributes = re.split("[=;] *", made.headers["Set-Cookie"])
    assert name == "__Host-lineagegraph_session"
    assert {"HttpOnly", "Path", "/", "SameSite", "strict", "Secure"} <= set(attributes)
    assert not {"Domain", "Max-Age", "expires"} & set(attributes)


def log_in(client: httpx.Client, user: str, path: str = "/login/oidc") -> httpx.Response:
    """Do as a browser does: to the provider, which asks the user, and back."""
    begun = client.get(path)
    assert begun.status_code == 303, begun.text
    agreed = httpx.post(begun.headers["Location"], data={"sub": user})
    assert agreed.status_code == 302, agreed.text
    return client.get(agreed.headers["Location"])


def test_a_user_logs_in_at_the_provider(
    provider: RunningProvider, serve: Serve, graph: Graph
) -> None:
    client = serve(provider.issuer)
    back = log_in(client, "ann", "/login/oidc?next=/jobs%3Fa%3D1%26b%3D%22")
    assert back.status_code == 200, back.text
    (target,) = re.findall('content="0;url=([^"]*)"', back.text)
    assert unescape(target) == '/jobs?a=1&b="'
    assert client.get(JOBS).status_code == 200
    shown = client.get(SESSION).json()
    assert (shown["kind"], shown["name"], shown["roles"]["write"]) == ("user", "ann", ["shop"])
    own = {"X-CSRF-Token": shown["csrfToken"]}
    assert client.put(SHOP, json=OWNER, headers=own).status_code == 200
    stranger = serve(provider.issuer)
    assert log_in(stranger, "bob").status_code == 200
    assert stranger.get(JOBS).status_code == 403
    # The mapping counts as it is now, and a session of a provider that is not trusted does not.
    cookies = dict(client.cookies)
    for changed, status in (({"oidc_roles": {}}, 403), ({"issuer": None}, 401)):
        other = serve(**{"issuer": provider.issuer} | changed)
        other.cookies = cookies
        assert other.get(JOBS).status_code == status
    assert end_sessions_of(graph, "ann") == 1
    until(lambda: client.get(JOBS).status_code == 401, seconds=4)


def test_a_login_on_the_page_leads_back_to_the_view_that_was_opened(
    provider: RunningProvider, serve: Serve, page: Page
) -> None:
    client = serve(provider.issuer)
    shared = f"{client.base_url}/#/job/a%20%26%20b/default//Trend"
    page.goto(shared)
    page.get_by_role("link", name="Log in instead").click()
    page.locator("input[name=sub]").fill("ann")
    page.locator("button[type=submit], input[type=submit]").first.click()
    expect(page).to_have_url(shared)
    expect(page.locator("#view")).to_contain_text("a & b")


def test_a_login_of_another_browser_or_for_another_request_is_refused(
    provider: RunningProvider, serve: Serve
) -> None:
    client, other = serve(provider.issuer), serve(provider.issuer)
    begun = client.get("/login/oidc")
    asked = parse_qs(urlsplit(begun.headers["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= asked.keys()
    assert "SameSite=lax" in begun.headers["Set-Cookie"]
    agreed = httpx.post(begun.headers["Location"], data={"sub": "ann"}).headers["Location"]
    other.get("/login/oidc")
    callback = urlsplit(agreed)
    stolen = f"{callback.path}?{callback.query}"
    assert other.get(stolen).status_code == 400
    assert client.get(stolen.replace("state=", "state=x")).status_code == 400
    assert client.get(stolen.replace("code=", "code=x")).status_code == 503
    assert "lineagegraph_session" not in client.cookies
    denied = client.get(f"/login/oidc/callback?state={asked['state'][0]}&error=access_denied")
    assert (denied.status_code, "access_denied" in denied.text) == (403, True)
    assert client.get(agreed).status_code == 200
    # The code and the browser's part are used up.
    assert client.get(agreed).status_code == 400
    for path in ("//evil.example", "https://evil.example", "/\\evil.example", "x", ""):
        assert client.get("/login/oidc", params={"next": path}).status_code == 400


def test_a_providers_token_is_exchanged_for_a_session_that_ends_with_it(
    provider: RunningProvider, serve: Serve
) -> None:
    client = serve(provider.issuer)
    token = provider.sign()
    made = client.post(SESSION, headers={"Authorization": f"Bearer {token}"})
    assert (made.status_code, made.json()["name"]) == (201, "ann")
    assert client.get(JOBS).status_code == 200
    soon = provider.sign(exp=int(time()) + 2)
    assert client.post(SESSION, headers={"Authorization": f"Bearer {soon}"}).status_code == 201
    until(lambda: client.get(JOBS).status_code == 401, seconds=5)
