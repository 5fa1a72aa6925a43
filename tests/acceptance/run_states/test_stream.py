"""The states of runs as others follow them, over a socket."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import jsonschema_rs
import pytest

from lineagegraph.admin.tokens import add_token, revoke_token
from lineagegraph.cli.operate.note import find_service
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.http.run_states import feed
from lineagegraph.http.run_states.feed import Feed
from lineagegraph.http.run_states.selection import Selection
from lineagegraph.http.run_states.stream import follow
from lineagegraph.ingest.numbering import forget_changes
from lineagegraph.model.access import ANYBODY, Role
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.processes import Commands, shared, until
from tests.acceptance.run_states.followers import following
from tests.events import run_event
from tests.integration.ingest.test_order import record_all

Event = dict[str, Any]


def life(*kinds: str, job: str = "a", **said: Any) -> list[Event]:
    run_id = new_id()
    return [run_event(job, kind, run_id=run_id, **said) for kind in kinds]


def tell(graph: Graph, *events: Event) -> None:
    record_all(graph, [[event] for event in events])


@pytest.fixture
def http(graph: Graph, settings: Settings, tmp_path: Path) -> Iterator[HttpServer]:
    own = settings.model_copy(update={"home": tmp_path})
    found = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    found.start()
    yield found
    found.stop()


def page(http: HttpServer, query: str = "") -> dict[str, Any]:
    answer = httpx.get(
        f"{http.url}/api/v1/run-states{query}", headers={"Accept": "application/json"}
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_two_followers_see_the_same_and_one_comes_back_to_what_it_missed(
    graph: Graph, http: HttpServer
) -> None:
    tell(graph, *life("COMPLETE"))
    start, end = life("START", "FAIL")
    with following(http.url) as stays:
        with following(http.url) as leaves:
            tell(graph, start)
            until(lambda: stays.ids == leaves.ids == [2])
        tell(graph, end)
        with following(http.url, last_id=leaves.last_id) as is_back:
            tell(graph, *life("ABORT"))
            until(lambda: stays.ids == [2, 3, 4] and is_back.ids == [3, 4])
        assert stays.changes[1:] == is_back.changes
    with following(http.url, "?after=oldest") as sees_all, following(http.url, "?after=2") as some:
        until(lambda: sees_all.ids == [1, 2, 3, 4] and some.ids == [3, 4])


def test_a_change_carries_what_the_run_was_given_and_what_it_gave(
    graph: Graph, http: HttpServer
) -> None:
    start, end = life("START", "COMPLETE", outputs=(("lake", "/gold"),))
    start["run"]["facets"]["lineagegraph"] = {"params": {"day": 3}, "version": "v1", "attempt": 1}
    end["run"]["facets"]["lineagegraph"] = {"emitted": {"files": 2}}
    tell(graph, start, end)
    begun, ended = page(http)["runStates"]
    assert (begun["state"], begun["programRunStatus"]) == ("RUNNING", "RUNNING")
    assert begun["userArguments"] == {"day": 3}
    assert begun["systemArguments"] == {"attempt": 1}
    assert (begun["stopTs"], begun["emitted"], begun["datasetVersions"]) == (None, None, None)
    assert begun["program"]["name"] == "a"
    assert begun["program"]["version"] == "v1"
    assert (ended["userArguments"], ended["systemArguments"]) == (None, None)
    assert ended["emitted"] == {"files": 2}
    (written,) = ended["datasetVersions"]
    assert (written["namespace"], written["name"]) == ("lake", "/gold")
    assert ended["stopTs"] == ended["stateChangeTime"] > ended["runTs"] == begun["stateChangeTime"]
    schema = httpx.get(f"{http.url}/api/v1/run-states/schema").json()
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    for change in (begun, ended):
        validator.validate(change)
        assert change.keys() == schema["properties"].keys()


def test_a_follower_hears_of_what_it_chose_and_comes_back_behind_the_rest(
    graph: Graph, http: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = "?after=oldest&job=b&job=c&state=failed&state=KILLED&namespace=default"
    with following(http.url, chosen) as follower:
        tell(graph, *life("FAIL"), *life("START", "FAIL", job="b"), *life("ABORT", job="c"))
        tell(graph, *life("ABORT", job="c", namespace="other"), *life("COMPLETE", job="b"))
        until(lambda: follower.states == ["FAILED", "KILLED"])
        until(lambda: follower.last_id == "6")


def test_a_page_goes_on_where_the_last_one_ended(
    graph: Graph, http: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(graph, *life("START", "COMPLETE"), *life("START", "FAIL"), *life("ABORT"))
    first = page(http, "?limit=2")
    assert [change["id"] for change in first["runStates"]] == [1, 2]
    assert (first["next"], first["oldest"], first["newest"]) == (2, 1, 5)
    rest = page(http, "?after=2")
    assert [change["id"] for change in rest["runStates"]] == [3, 4, 5]
    assert page(http, "?after=5")["runStates"] == []
    failed = page(http, "?state=FAILED&limit=1")
    assert [change["id"] for change in failed["runStates"]] == [4]
    lines = httpx.get(f"{http.url}/api/v1/run-states?format=ndjson&after=3").text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [4, 5]


def test_who_asks_for_what_is_forgotten_is_told_so(graph: Graph, http: HttpServer) -> None:
    tell(graph, *life("START", "COMPLETE"))
    assert page(http)["newest"] == 2
    forget_changes(graph, timedelta(0))
    tell(graph, *life("START"))
    for form in ("?format=json&", "?format=ndjson&", "?"):
        answer = httpx.get(f"{http.url}/api/v1/run-states{form}after=1")
        assert answer.status_code == 410
        assert (answer.json()["oldest"], answer.json()["newest"]) == (3, 3)
        assert "no longer stored: the oldest is 3" in answer.json()["error"]
    assert [change["id"] for change in page(http)["runStates"]] == [3]
    ahead = httpx.get(f"{http.url}/api/v1/run-states?format=json&after=99")
    assert (ahead.status_code, "change 99 does not exist yet" in ahead.text) == (410, True)


def test_a_follower_that_falls_behind_what_is_kept_is_told_so_and_let_go(graph: Graph) -> None:
    tell(graph, *life("START", "COMPLETE"))
    everything = Selection(frozenset(), frozenset(), frozenset())

    async def follow_slowly() -> list[bytes]:
        shared = Feed(graph, inherit=True)
        await shared.look()
        stream = follow(shared, 0, everything, lambda: ANYBODY)
        sent = [await anext(stream)]
        forget_changes(graph, timedelta(0))
        tell(graph, *life("START"))
        await shared.look()
        return sent + [block async for block in stream]

    begun, gone = asyncio.run(follow_slowly())
    assert begun == b"retry: 2000\nid: 0\n\n"
    assert gone.startswith(b"event: gone\ndata: changes after 0 are no longer stored")


@pytest.mark.parametrize(
    ("query", "path"),
    [("after=x", "after"), ("after=-1", "after"), ("state=DONE", "state"), ("format=xml", "format"),
     ("limit=x&format=json", "limit"), ("limit=1001&format=json", "limit")],
)  # fmt: skip
def test_a_wrong_parameter_is_named(http: HttpServer, query: str, path: str) -> None:
    answer = httpx.get(f"{http.url}/api/v1/run-states?{query}")
    assert (answer.status_code, answer.json()["path"]) == (400, path)


def test_a_wrong_last_event_id_is_refused_and_what_is_not_accepted_too(http: HttpServer) -> None:
    url = f"{http.url}/api/v1/run-states"
    assert httpx.get(url, headers={"Last-Event-ID": "x"}).status_code == 400
    assert httpx.get(url, headers={"Accept": "image/png"}).status_code == 406
    assert httpx.head(url).headers["Content-Type"].startswith("text/event-stream")


def test_many_followers_share_what_is_read(
    graph: Graph, http: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    read_changes = feed.read_changes

    def counted(tx: Any, after: int, until: int, inherit: bool) -> Any:
        reads.append(after)
        return read_changes(tx, after, until, inherit)

    monkeypatch.setattr(feed, "read_changes", counted)
    with ExitStack() as stack:
        many = [stack.enter_context(following(http.url)) for _ in range(20)]
        tell(graph, *life("START"))
        until(lambda: all(follower.ids == [1] for follower in many))
        assert reads == [0]


def test_a_token_hears_of_its_own_namespaces_until_it_is_revoked(
    graph: Graph, http: HttpServer
) -> None:
    token = add_token(graph, "shop", {Role.READ: frozenset({"shop"})})
    tell(graph, *life("START", namespace="shop"), *life("START", namespace="bank"))
    mine = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    found = httpx.get(f"{http.url}/api/v1/run-states", headers=mine).json()["runStates"]
    assert [change["program"]["namespace"] for change in found] == ["shop"]
    refused = httpx.get(f"{http.url}/api/v1/run-states?namespace=bank", headers=mine)
    assert refused.status_code == 403
    with following(http.url, "?after=oldest", token=token) as follower:
        until(lambda: follower.last_id == "2")
        assert follower.ids == [1]
        revoke_token(graph, "shop")

        def ends() -> bool:
            tell(graph, *life("START", namespace="bank"))
            return follower.has_ended

        until(ends)


def test_followers_come_to_a_clean_end_when_the_server_stops(http: HttpServer) -> None:
    with following(http.url) as follower:
        began = time.monotonic()
        http.stop()
        assert time.monotonic() - began < 5
        until(lambda: follower.has_ended)


def test_a_killed_server_is_followed_by_the_next_from_where_it_was(
    http: HttpServer, graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    commands = Commands(tmp_path, shared(server, tmp_path / "other"))
    process = commands.start("up", "--only", "http")
    start, end = life("START", "COMPLETE")
    try:
        with following(url_of(tmp_path / "other")) as follower:
            tell(graph, start)
            until(lambda: follower.states == ["RUNNING"])
            os.kill(process.pid, signal.SIGKILL)
            until(lambda: follower.has_ended)
    finally:
        process.kill()
        process.communicate()
    tell(graph, end)
    with following(http.url, last_id=follower.last_id) as is_back:
        until(lambda: is_back.states == ["COMPLETED"])


def url_of(home: Path) -> str:
    """Wait for the server of a home, and return its URL."""
    settings = Settings(home=home)
    until(lambda: find_service(settings))
    note = find_service(settings)
    assert note
    assert note.http
    return note.http
