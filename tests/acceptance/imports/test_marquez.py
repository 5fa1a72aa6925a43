"""Importing over HTTP what a server that speaks Marquez's API lists.

There is one database, so the server's answers are kept first and given again when it is empty.
"""

import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.imports import (
    MarquezSource,
    catalog,
    import_events,
    replay,
    source,
    undo_import,
)
from lineagegraph.admin.lock import work_lock
from lineagegraph.errors import SourceFailed
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.admin.tags import merge_tag
from tests.acceptance.imports.recorder import Recorder
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event
from tests.integration.ingest.test_order import dump, record_all, wipe

START = datetime(2026, 1, 1, tzinfo=UTC)


def history() -> list[dict[str, Any]]:
    """Runs of two namespaces, with parents and data; many events have the same time."""
    events = []
    for number in range(12):
        at = START + timedelta(minutes=number // 5)
        top = run_event("dag", "START", at=at, namespace=f"team{number % 2}")
        run_id = top["run"]["runId"]
        child = run_event(
            "dag.load",
            at=at,
            parent=(run_id, "dag"),
            namespace=f"team{number % 2}",
            outputs=(("lake", f"/out{number % 3}"),),
        )
        schema = {"fields": [{"name": "a", "type": f"t{number}"}]}
        child["outputs"][0]["facets"] = {"schema": schema}
        events += [
            top,
            child,
            run_event("dag", at=at, run_id=run_id, namespace=f"team{number % 2}"),
        ]
    return events


@pytest.fixture(scope="module")
def kept(connection: Graph, settings: Settings) -> Iterator[tuple[dict[str, bytes], Any]]:
    """What our own server answers to an import, in small pages, and the graph behind it."""
    with pytest.MonkeyPatch.context() as patch:
        small_pages(patch)
        wipe(connection)
        record_all(connection, [history()])
        expected = dump(connection)
        say(connection, settings)
        said = dump(connection)
        server = HttpServer(make_application(connection, settings), bind("127.0.0.1", 0))
        server.start()
        try:
            with Recorder(server.url) as recorder, MarquezSource(recorder.url) as other:
                done = import_events(connection, other)
                undo_import(connection, done.id)
                assert dump(connection) == said
                yield recorder.kept, expected
        finally:
            server.stop()


def say(graph: Graph, settings: Settings) -> None:
    """Say of the history what people say, by the routes that they use."""
    server = HttpServer(make_application(graph, settings), bind("127.0.0.1", 0))
    server.start()
    try:
        with httpx.Client(base_url=f"{server.url}/api/v1", follow_redirects=True) as client:
            owner = {"ownerName": "us", "description": "Team 0"}
            client.put("/namespaces/team0", json=owner).raise_for_status()
            client.put("/tags/PII", json={"description": "personal"}).raise_for_status()
            source = {"type": "POSTGRESQL", "connectionUrl": "postgres://db", "description": "DB"}
            client.put("/sources/db", json=source).raise_for_status()
            for path in ("team1/jobs/dag.load", "lake/datasets/%2Fout1"):
                client.post(f"/namespaces/{path}/tags/PII").raise_for_status()
            column = "lake/datasets/%2Fout1/fields/a/tags/KEY"
            client.post(f"/namespaces/{column}").raise_for_status()
    finally:
        server.stop()


def small_pages(patch: pytest.MonkeyPatch) -> None:
    for module in (source, replay, catalog):
        patch.setattr(module, "PAGE", 7)


@pytest.fixture
def marquez(
    graph: Graph, kept: tuple[dict[str, bytes], Any], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Recorder]:
    """The other server, and an empty graph."""
    small_pages(monkeypatch)
    with Recorder(None) as recorder:
        recorder.kept = kept[0]
        yield recorder


def without_imports(graph: Graph) -> dict[str, list[str]]:
    """What events told: the graph without imports and what people said."""
    graph.query("MATCH (n:Import|Tag|Namespace|DataSource) DETACH DELETE n", write=True)
    graph.query("MATCH (e:Event) REMOVE e.imported", write=True)
    return dump(graph)


def test_the_graph_is_the_one_that_the_other_server_has(
    marquez: Recorder, graph: Graph, kept: tuple[dict[str, bytes], Any]
) -> None:
    marquez.outages = 2
    told: list[tuple[int, int]] = []
    with MarquezSource(marquez.url, wait=lambda seconds: None) as other:
        done = import_events(graph, other, note=lambda *said: told.append(said))
    assert (done.state, done.refused) == ("DONE", 0)
    assert told[-1][0] == told[-1][1]
    assert without_imports(graph) == kept[1]


def test_what_people_said_comes_too_and_what_is_said_here_stays(
    marquez: Recorder, graph: Graph
) -> None:
    tag = {"name": "PII", "description": "ours", "now": None}
    graph.write(merge_tag, **tag)
    with MarquezSource(marquez.url) as other:
        done = import_events(graph, other)
    assert said_of(graph) == [
        ("DataSource", "db", "DB", []),
        ("Namespace", "team0", "Team 0", []),
        ("Tag", "KEY", None, ["a"]),
        ("Tag", "PII", "ours", ["/out1", "dag.load"]),
    ]
    undo_import(graph, done.id)
    assert said_of(graph) == [("Tag", "PII", "ours", [])]


def said_of(graph: Graph) -> list[tuple[object, ...]]:
    rows = graph.query(
        "MATCH (n:Namespace|DataSource|Tag) "
        "RETURN labels(n)[0] AS label, n.name AS name, n.description AS description, "
        "COLLECT { MATCH (x)-[:TAGGED]->(n) WITH coalesce(x.fqn, x.name) AS on ORDER BY on "
        "RETURN on } AS on ORDER BY label, name"
    )
    return [tuple(row.values()) for row in rows]


def test_an_import_that_was_cut_short_goes_on_where_it_stopped(
    marquez: Recorder, graph: Graph, kept: tuple[dict[str, bytes], Any]
) -> None:
    marquez.answers_left = 3
    with MarquezSource(marquez.url, wait=lambda seconds: None) as other:
        with pytest.raises(SourceFailed, match=r"no Marquez server answers at .*: status 503"):
            import_events(graph, other)
        marquez.answers_left = None
        marquez.asked.clear()
        import_events(graph, other)
    assert "after=0001" not in marquez.asked[0]
    assert without_imports(graph) == kept[1]


def test_an_import_that_waits_for_another_one_tells_so_once(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    command = Commands(tmp_path, shared(server, tmp_path))
    with Recorder(None) as recorder:
        recorder.answer = lambda path: (200, b'{"events": []}')  # type: ignore[method-assign]
        with work_lock(graph, f"import of {recorder.url}"):
            process = command.start("import", "marquez", "--url", recorder.url)
            assert process.stderr is not None
            told = process.stderr.readline()
            time.sleep(1)
        said, rest = process.communicate(timeout=60)
    assert (told, rest) == ("another process imports from this server: waiting\n", "")
    assert said.startswith("0 events, 0 refused")


def test_an_import_may_be_of_one_namespace_and_is_undone(marquez: Recorder, graph: Graph) -> None:
    with MarquezSource(marquez.url) as other:
        done = import_events(graph, other, namespaces=frozenset({"team1"}))
    (row,) = graph.query("MATCH (j:Job) RETURN collect(DISTINCT j.namespace) AS found")
    assert row["found"] == ["team1"]
    undo_import(graph, done.id)
    assert dump(graph) == {"nodes": [], "links": []}


def test_what_is_no_event_is_counted_and_the_others_are_taken(
    marquez: Recorder, graph: Graph
) -> None:
    events = [{"eventTime": "never"}, None, run_event("good")]
    marquez.kept = dict.fromkeys(marquez.kept, json.dumps({"events": events}).encode())
    with MarquezSource(marquez.url) as other:
        done = import_events(graph, other)
    assert (done.events, done.refused) == (1, 2)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}"])
def test_a_server_that_is_no_marquez_is_said_to_be_none(
    marquez: Recorder, graph: Graph, body: bytes
) -> None:
    marquez.kept = dict.fromkeys(marquez.kept, body)
    with MarquezSource(marquez.url) as other, pytest.raises(SourceFailed, match="is it a Marquez"):
        import_events(graph, other)


def test_an_address_that_is_none_is_said_to_be_none() -> None:
    with pytest.raises(SourceFailed, match="http://host:notaport is no address of a server"):
        MarquezSource("http://host:notaport")


def test_a_server_that_cannot_be_asked_is_an_error_at_once(graph: Graph) -> None:
    said = "no Marquez server answers at ftp://nobody: "
    with MarquezSource("ftp://nobody") as other, pytest.raises(SourceFailed, match=said):
        import_events(graph, other)


def test_the_command_that_was_killed_goes_on_and_what_it_imported_is_listed_and_undone(
    graph: Graph, server: ServerAddress, tmp_path: Path
) -> None:
    command = Commands(tmp_path, shared(server, tmp_path))
    events = json.dumps({"events": history(), "totalCount": 36}).encode()
    with Recorder(None) as recorder:
        # Nothing but the events is answered, so the first attempt waits for the namespaces.
        recorder.answer = lambda path: (200, events) if "events" in path else (503, b"")  # type: ignore[method-assign]
        process = command.start("import", "marquez", "--url", recorder.url)
        until(lambda: graph.query("MATCH (i:Import)-[:BROUGHT]->() RETURN i LIMIT 1"))
        process.kill()
        process.communicate()
        recorder.answer = lambda path: (200, events)  # type: ignore[method-assign]
        imported = command("import", "marquez", "--url", recorder.url)
        assert imported.stdout.startswith("36 events, 0 refused")
    (listed,) = json.loads(command("import", "list", "--json").stdout)
    assert (listed["state"], listed["events"]) == ("DONE", 36)
    undone = command("import", "undo", listed["id"])
    assert (undone.returncode, undone.stdout) == (0, "undone\n")
    assert dump(graph) == {"nodes": [], "links": []}


@pytest.mark.soak
def test_a_real_marquez_is_imported_and_undone(graph: Graph) -> None:
    url = os.environ.get("LINEAGEGRAPH_MARQUEZ_URL")
    if not url:
        pytest.skip("LINEAGEGRAPH_MARQUEZ_URL names no Marquez: nothing was imported from one")
    with MarquezSource(url) as other:
        done = import_events(graph, other)
    assert done.events > 0
    undo_import(graph, done.id)
    assert dump(graph) == {"nodes": [], "links": []}
