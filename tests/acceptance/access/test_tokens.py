"""Who has no token, a wrong one or one that was revoked gets nothing but the way to ask for one."""

import hmac
from http.client import HTTPConnection
from typing import Any

import pytest

from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.errors import InvalidName, NameTaken, NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.needs import OPEN
from lineagegraph.model.access import Role
from tests.acceptance.access.conftest import Admit, Serve
from tests.acceptance.marquez.operations import list_operations
from tests.acceptance.processes import until

JOBS = "/api/v1/jobs"
EVERYWHERE = {role: frozenset({"*"}) for role in Role}


def test_nothing_is_told_without_a_token_where_the_network_can_ask(serve: Serve) -> None:
    client = serve()
    for operation in list_operations():
        (sent, *_) = operation.requests()
        answer = client.request(sent.method, sent.path, params=sent.query, json=sent.body)
        if operation.path in OPEN:
            assert answer.status_code == 200
        else:
            assert answer.status_code == 401, operation.path
            assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_everything_is_allowed_without_a_token_on_loopback(serve: Serve) -> None:
    assert serve("127.0.0.1").get(JOBS).status_code == 200


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
    for name in ("", " ", "a\nb", "x" * 201):
        with pytest.raises(InvalidName):
            add_token(graph, name, EVERYWHERE)
