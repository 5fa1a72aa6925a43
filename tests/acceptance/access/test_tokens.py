"""Who has no token, a wrong one or one that was revoked gets nothing but the way to ask for one."""

import hmac
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token, list_tokens, revoke_token, rotate_token
from lineagegraph.errors import InvalidName, NameTaken, NotFound
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.http.access.needs import OPEN
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import record
from lineagegraph.model.access import Role
from lineagegraph.settings import Settings
from tests.acceptance.access.conftest import Admit, Serve
from tests.acceptance.marquez.operations import list_operations
from tests.acceptance.processes import until
from tests.events import run_event

JOBS = "/api/v1/jobs"
EVERYWHERE = {role: frozenset({"*"}) for role in Role}


def test_nothing_is_told_without_a_token_where_the_network_can_ask(serve: Serve) -> None:
    client = serve()
    until(lambda: client.get("/ready").status_code == 200)
    for operation in list_operations():
        (sent, *_) = operation.requests()
        answer = client.request(sent.method, sent.path, params=sent.query, json=sent.body)
        if operation.path.startswith("/login/"):
            assert answer.status_code == 404
        elif operation.path in OPEN:
            assert answer.status_code == 200
        else:
            assert answer.status_code == 401, operation.path
            assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_everything_is_allowed_without_a_token_on_loopback(serve: Serve) -> None:
    assert serve("127.0.0.1").get(JOBS).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "x-real-ip",
        "Via",
    ],
)
def test_what_a_proxy_passes_on_to_loopback_needs_a_token(
    serve: Serve, graph: Graph, header: str
) -> None:
    client = serve("127.0.0.1")
    client.headers[header] = "https" if header.endswith("Proto") else "192.0.2.1"
    answer = client.get(JOBS)
    assert answer.status_code == 401
    assert header.lower() in answer.json()["error"].lower()
    assert "lineagegraph token add" in answer.json()["error"]
    client.cookies.set("lineagegraph_session", "of a server that was here before")
    assert client.get(JOBS).status_code == 401
    assert client.get("/health").status_code == 200
    token = add_token(graph, "ci", EVERYWHERE)
    client.headers["Authorization"] = f"Bearer {token}"
    assert client.get(JOBS).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_token_is_judged_wherever_it_is_sent(serve: Serve, graph: Graph, host: str) -> None:
    token = add_token(graph, "ci", EVERYWHERE)
    client = serve(host)
    assert client.get(JOBS, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.get(JOBS, headers={"Authorization": f"bearer  {token}"}).status_code == 200
    assert client.get(JOBS, headers={"Authorization": f"Bearer {token}x"}).status_code == 401


def test_what_is_no_token_is_refused(serve: Serve, graph: Graph) -> None:
    add_token(graph, "ci", EVERYWHERE)
    url = serve("127.0.0.1").base_url
    for sent in (
        b"",
        b"Bearer",
        b"Bearer ",
        b"Bearer lg_wrong",
        b"Bearer lg_schl\xc3\xbcssel",
        b"Bearer \xff\xfe",
        b"Bearer " + b"x" * 20_000,
        b"Basic Y2k6c2VjcmV0",
        b"lg_wrong",
    ):
        # A client that refuses to send some of these would hide what they do.
        connection = HTTPConnection(url.host, url.port)
        connection.request("GET", JOBS, headers={"Authorization": sent})
        assert connection.getresponse().status == 401, sent
        connection.close()


def test_two_tokens_at_once_are_none(serve: Serve, graph: Graph) -> None:
    token = add_token(graph, "ci", EVERYWHERE)
    headers = [("Authorization", f"Bearer {token}"), ("Authorization", "Bearer lg_wrong")]
    assert serve().get(JOBS, headers=headers).status_code == 401


def test_a_long_body_of_a_stranger_is_answered(serve: Serve) -> None:
    assert serve().post("/api/v1/lineage", content=b"x" * 8_000_000).status_code == 401


def test_a_revoked_token_stops_working_within_seconds(admit: Admit, graph: Graph) -> None:
    client = admit(read="*")
    assert client.get(JOBS).status_code == 200
    revoke_token(graph, "ci")
    until(lambda: client.get(JOBS).status_code == 401, seconds=4)


def test_a_token_expires(admit: Admit, graph: Graph) -> None:
    client = admit(read="*")
    token = add_token(graph, "short", EVERYWHERE, expires=timedelta(0))
    own = {"Authorization": f"Bearer {token}"}
    until(lambda: "expired" in client.get(JOBS, headers=own).json()["error"], seconds=4)
    refused = client.get(JOBS, headers=own)
    assert "`lineagegraph token rotate short`" in refused.json()["error"]
    assert refused.headers["WWW-Authenticate"].endswith(
        'error="invalid_token", error_description="the token expired"'
    )
    assert client.get(JOBS).status_code == 200


def test_the_old_token_of_a_rotation_works_until_its_grace_ends(admit: Admit, graph: Graph) -> None:
    graph.write(record, extract([run_event("load", namespace="shop")]))
    client = admit(read="shop")
    new = rotate_token(graph, "ci", timedelta(seconds=6))
    rotated = {"Authorization": f"Bearer {new}"}
    path = "/api/v1/namespaces/shop/jobs"
    until(lambda: client.get(path, headers=rotated).status_code == 200, seconds=4)
    assert client.get(path).status_code == 200
    assert client.get(JOBS, headers=rotated).status_code == 403
    until(lambda: client.get(path).status_code == 401, seconds=10)
    assert "expired" in client.get(path).json()["error"]
    assert client.get(path, headers=rotated).status_code == 200


def test_a_rotated_token_is_valid_for_as_long_as_before(graph: Graph) -> None:
    add_token(graph, "ci", EVERYWHERE, expires=timedelta(days=30))
    graph.query(
        "MATCH (t:Token) SET t.created_at = t.created_at - duration('P29D'), "
        "t.expires_at = t.expires_at - duration('P29D')",
        write=True,
    )
    rotate_token(graph, "ci", timedelta(days=3))
    (row,) = list_tokens(graph)
    assert row.rotated_at is not None
    assert row.expires_at is not None
    lasting = row.expires_at - row.rotated_at
    assert timedelta(seconds=-1) < lasting - timedelta(days=30) < timedelta(seconds=1)
    # A grace makes no token valid for longer than it was.
    assert row.old_until is not None
    assert timedelta(0) < row.old_until - row.rotated_at <= timedelta(days=1)
    rotate_token(graph, "ci", timedelta(0), expires=timedelta(days=7))
    (row,) = list_tokens(graph)
    assert row.rotated_at is not None
    assert row.expires_at == row.rotated_at + timedelta(days=7)
    with pytest.raises(NotFound, match="'cd'"):
        rotate_token(graph, "cd", timedelta(0))


def test_the_last_use_is_written_in_the_background_and_not_at_each_request(
    graph: Graph, settings: Settings, tmp_path: Path
) -> None:
    token = add_token(graph, "ci", EVERYWHERE)
    add_token(graph, "idle", EVERYWHERE)
    own = settings.model_copy(update={"home": tmp_path})
    server = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    server.start()
    before = datetime.now(UTC)
    for _ in range(3):
        httpx.get(f"{server.url}{JOBS}", headers={"Authorization": f"Bearer {token}"})
    assert {row.used_at for row in list_tokens(graph)} == {None}
    server.stop()
    ci, idle = list_tokens(graph)
    assert ci.used_at is not None
    assert before <= ci.used_at <= datetime.now(UTC)
    assert idle.used_at is None


def test_the_graph_has_no_token_that_could_be_used(serve: Serve, graph: Graph) -> None:
    token = add_token(graph, "ci", EVERYWHERE)
    ((kept,),) = (row.values() for row in graph.query("MATCH (t:Token) RETURN properties(t)"))
    assert token not in str(kept)
    stolen = {"Authorization": f"Bearer {kept['hash']}"}
    assert serve().get(JOBS, headers=stolen).status_code == 401


def test_every_known_token_is_compared_in_constant_time(
    serve: Serve, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [add_token(graph, name, EVERYWHERE) for name in ("a", "b", "c")]
    compared: list[Any] = []
    compare = hmac.compare_digest

    def note(known: str, given: str) -> bool:
        compared.append(given)
        return compare(known, given)

    monkeypatch.setattr(hmac, "compare_digest", note)
    client = serve()
    for token in (*tokens, "lg_wrong"):
        compared.clear()
        client.get(JOBS, headers={"Authorization": f"Bearer {token}"})
        assert len(compared) == len(tokens)


def test_a_name_is_given_once(graph: Graph) -> None:
    add_token(graph, "ci", EVERYWHERE)
    with pytest.raises(NameTaken, match="'ci'"):
        add_token(graph, "ci", EVERYWHERE)
    revoke_token(graph, "ci")
    with pytest.raises(NotFound, match="'ci'"):
        revoke_token(graph, "ci")
    for name in ("", " ", "a\nb", "x" * 201, "user ann", "run 1"):
        with pytest.raises(InvalidName):
            add_token(graph, name, EVERYWHERE)
