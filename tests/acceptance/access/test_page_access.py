"""Who may load the page at `/`, ask its views, and act in them."""

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token, list_tokens
from lineagegraph.graph import Graph
from lineagegraph.model.access import Role
from tests.acceptance.access.conftest import Admit, Serve

NOW, STOP = "/api/v1/views/now/now", "/api/v1/views/live_run/stop"
RUN = {"run": "0197a3c4-1d2e-7abc-8def-0123456789ab"}


@pytest.fixture
def plain(serve: Serve) -> httpx.Client:
    """A client whose answers are not compared with the API document."""
    client = serve()
    client.event_hooks = {"response": []}
    return client


def test_the_page_and_its_files_have_no_data_and_need_no_token(plain: httpx.Client) -> None:
    page = plain.get("/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert plain.get("/ui/page/page.js").headers["content-type"].startswith("text/javascript")
    assert plain.get("/ui/styles/now.css").text.startswith('@scope ([data-widget="now"])')
    tag = page.headers["etag"]
    assert plain.get("/", headers={"If-None-Match": tag}).status_code == 304
    assert plain.post(NOW, json={}).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/ui/%2e%2e/settings.py",
        "/ui/..%2fsettings.py",
        "/ui//etc/passwd",
        "/ui/page/page.html",
        "/ui/page",
        "/ui/%00.js",
        "/ui/styles/..%2f..%2fsettings.css",
        "/ui/nothing.js",
    ],
)
def test_no_other_file_is_served(plain: httpx.Client, path: str) -> None:
    assert plain.get(path).status_code == 404


def test_reading_is_not_acting(admit: Admit) -> None:
    reader = admit(read="*")
    assert reader.post(NOW, json={}).status_code == 200
    refused = reader.post(STOP, json=RUN)
    assert refused.status_code == 403
    assert "has no role 'operate'" in refused.json()["error"]


def test_who_may_operate_may_act(admit: Admit) -> None:
    assert admit(read="*", operate="*").post(STOP, json=RUN).status_code in (200, 404)


TOKENS = "/api/v1/views/tokens"


def test_only_an_admin_sees_and_makes_tokens(admit: Admit) -> None:
    operator = admit(read="*", write="*", operate="*")
    about = {"name": "team", "roles": ["read"], "namespaces": ["sales"]}
    for question, asked in (("tokens", {}), ("add", about), ("revoke", {"name": "ci"})):
        refused = operator.post(f"{TOKENS}/{question}", json=asked)
        assert refused.status_code == 403
        assert "has no role 'admin'" in refused.json()["error"]


def test_an_admin_gives_only_rights_that_it_has(admit: Admit, graph: Graph) -> None:
    admin = admit(read="*", operate="sales", admin="*")
    for roles, namespaces in ((["write"], ["sales"]), (["operate"], ["*"]), (["operate"], ["x"])):
        about = {"name": "team", "roles": roles, "namespaces": namespaces}
        assert admin.post(f"{TOKENS}/add", json=about).status_code == 403
    about = {"name": "team", "roles": ["read", "operate"], "namespaces": ["sales"], "days": 30}
    made = admin.post(f"{TOKENS}/add", json=about)
    assert made.headers["cache-control"] == "no-store"
    assert made.json().startswith("lg_")
    (team,) = (one for one in list_tokens(graph) if one.name == "team")
    assert (team.read, team.write, team.operate, team.admin) == (["sales"], [], ["sales"], [])
    assert team.expires_at is not None
    shown = admin.post(f"{TOKENS}/tokens", json={}).text
    assert "operate:sales" in shown
    assert made.json() not in shown
    assert team.hash not in shown


def test_an_admin_revokes_only_rights_that_it_has(admit: Admit, graph: Graph) -> None:
    admin = admit(read="*", admin="*")
    add_token(graph, "writer", {Role.WRITE: frozenset({"sales"})})
    add_token(graph, "owner", {Role.READ: frozenset({"sales"})}, datasets=["s3://lake*"])
    add_token(graph, "reader", {Role.READ: frozenset({"sales"})})
    found = {
        name: admin.post(f"{TOKENS}/revoke", json={"name": name}).status_code
        for name in ("writer", "owner", "reader", "nobody")
    }
    assert found == {"writer": 403, "owner": 403, "reader": 200, "nobody": 404}
    assert {one.name for one in list_tokens(graph)} == {"ci", "writer", "owner"}


@pytest.mark.parametrize(
    "about",
    [
        {"roles": [], "namespaces": ["sales"]},
        {"roles": ["read"], "namespaces": []},
        {"roles": ["read"], "namespaces": ["sales"], "days": 0},
        {"roles": ["root"], "namespaces": ["sales"]},
    ],
)
def test_a_token_without_rights_or_end_is_refused(admit: Admit, about: dict[str, object]) -> None:
    admin = admit(read="*", admin="*")
    assert admin.post(f"{TOKENS}/add", json={"name": "team"} | about).status_code == 400


def test_the_page_learns_what_its_caller_may_do(admit: Admit) -> None:
    answered = admit(read="*", write="sales", admin="*").post(NOW, json={})
    assert answered.headers["lineagegraph-roles"] == "read admin"


def test_a_token_for_one_namespace_does_not_see_all(admit: Admit) -> None:
    assert admit(read="shop").post(NOW, json={}).status_code == 403


@pytest.mark.parametrize(
    ("path", "about", "status", "error"),
    [
        ("/api/v1/views/nothing/now", {}, 404, "no question 'now' of a view 'nothing'"),
        ("/api/v1/views/now/__class__", {}, 404, "no question"),
        ("/api/v1/views/live_run/live", {}, 400, "the field 'run' is missing"),
        ("/api/v1/views/live_run/live", {"run": 5}, 400, "run: Expected `str`, got `int`"),
        (NOW, {"x": 1}, 400, "unknown field 'x'"),
        (
            "/api/v1/views/explorer/lineage",
            {"node": "", "up": 1, "down": 1, "at": "noon"},
            400,
            "lineage: Invalid isoformat string",
        ),
    ],
)
def test_a_bad_question_gets_one_clear_line(
    admit: Admit, path: str, about: dict[str, object], status: int, error: str
) -> None:
    found = admit(read="*").post(path, json=about)
    assert found.status_code == status
    assert error in found.json()["error"]


DESCRIBING = {
    "tag": {"key": "d:lake", "tag": "PII"},
    "untag": {"key": "d:lake", "tag": "PII"},
    "describe": {"key": "d:lake", "owners": ["ann"]},
}


@pytest.mark.parametrize("question", DESCRIBING)
def test_who_may_operate_describes_no_data(admit: Admit, question: str) -> None:
    path = f"/api/v1/views/explorer/{question}"
    refused = admit(read="*", operate="*").post(path, json=DESCRIBING[question])
    assert refused.status_code == 403
    assert "has no role 'write'" in refused.json()["error"]


def test_tags_and_owners_need_the_role_write(admit: Admit) -> None:
    writer = admit(read="*", write="*")
    found = {
        question: writer.post(f"/api/v1/views/explorer/{question}", json=about).status_code
        for question, about in DESCRIBING.items()
    }
    assert found == {"tag": 200, "untag": 200, "describe": 404}


@pytest.mark.parametrize(("role", "status"), [("write", 403), ("operate", 409)])
def test_only_who_may_operate_settles_a_wait(admit: Admit, role: str, status: int) -> None:
    about = RUN | {"reason": "by mail"}
    client = admit(**{"read": "*", role: "*"})
    client.event_hooks = {"response": []}
    assert client.post("/api/v1/views/sensors/settle", json=about).status_code == status
