"""A Neo4j that hangs, and one that hinders: the server answers, and no event is lost."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.cli.operate.note import DRAIN, find_service
from lineagegraph.cli.operate.service import Service
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import GraphBusy, GraphError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.http.ingest.writer import Writer
from lineagegraph.http.plumbing import answer_threads
from lineagegraph.model.access import Role
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.ingestion.conftest import JSON, Serve
from tests.acceptance.ingestion.relay import Relay
from tests.acceptance.processes import until
from tests.events import run_event
from tests.project import Project

AFTER_LOAD = """
lg.pipeline("next", tasks=[lg.command("a", ["true"])], trigger=lg.on.success("load"))
"""


@pytest.fixture
def relay(server: ServerAddress) -> Iterator[Relay]:
    parts = urlsplit(server.bolt)
    assert parts.hostname
    assert parts.port
    relay = Relay(parts.hostname, parts.port)
    yield relay
    relay.release()
    relay.cut()


def test_a_neo4j_that_hangs_holds_up_neither_producers_nor_health(
    graph: Graph,
    server: ServerAddress,
    settings: Settings,
    relay: Relay,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answer_threads, "_PATIENCE_SECONDS", 3)
    own = settings.model_copy(update={"home": tmp_path, "ingest_seconds": 1.0})
    with Graph(f"bolt://127.0.0.1:{relay.port}", server.user, server.password) as held:
        http = HttpServer(make_application(held, own), bind("127.0.0.1", 0))
        http.start()
        with httpx.Client(base_url=http.url, timeout=30, headers=JSON) as client:
            until(lambda: client.get("/ready").status_code == 200, seconds=120)
            relay.hold()
            try:
                with ThreadPoolExecutor(45) as readers:
                    reads = [readers.submit(client.get, "/api/v1/jobs") for _ in range(45)]
                    event = run_event("load")
                    for _ in range(3):
                        answer, seconds = timed(client, "POST", "/api/v1/lineage", json=event)
                        assert (answer.status_code, seconds < 4) == (503, True), answer.text
                        assert "events are kept" in answer.json()["error"]
                    for path, status in (("/health", 200), ("/ready", 503)):
                        answer, seconds = timed(client, "GET", path)
                        assert (answer.status_code, seconds < 2) == (status, True), answer.text
                    (spooled,) = (tmp_path / "spool").glob("*.ndjson")
                    assert len(spooled.read_bytes().splitlines()) == 1
                    for refused in islice(as_completed(reads), 30):
                        assert refused.result().status_code == 503
                        assert "not answered after 3 s" in refused.result().text
                    relay.release()
                    for one in reads:
                        with suppress(httpx.HTTPError):
                            one.result()
            finally:
                relay.release()
            until(lambda: not spooled.exists())
            assert client.get("/ready").status_code == 200
            rows = graph.query("MATCH (e:Event)-[:REPORTS]->(:Run) RETURN count(e) AS events")
            assert rows == [{"events": 1}]
        http.stop()


def test_a_connection_is_closed_also_while_another_thread_sends_on_it(
    server: ServerAddress, relay: Relay
) -> None:
    """A reader that was given up may still send, and the driver cannot say goodbye there."""
    with Graph(f"bolt://127.0.0.1:{relay.port}", server.user, server.password) as held:
        held.ping()
        relay.hold()
        ended: list[Exception] = []
        sender = Thread(target=_send, args=(held, ended), daemon=True)
        sender.start()
        time.sleep(1)
        assert not ended
    relay.cut()
    sender.join(30)
    (error,) = ended
    assert isinstance(error, GraphError)


def _send(held: Graph, ended: list[Exception]) -> None:
    try:
        with held.autocommit() as session:
            session.run("RETURN size($sent) AS size", {"sent": "x" * 50_000_000})
    except GraphError as error:
        ended.append(error)


def timed(
    client: httpx.Client, method: str, path: str, **sent: object
) -> tuple[httpx.Response, float]:
    began = time.monotonic()
    return client.request(method, path, **sent), time.monotonic() - began


def test_ingestion_that_fails_at_its_start_is_started_again(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[bool] = []
    plan_events = Writer.plan_events

    def fail_once(self: Writer) -> object:
        if failed:
            return plan_events(self)
        failed.append(True)
        raise RuntimeError("an error that nobody thought of")

    monkeypatch.setattr(Writer, "plan_events", fail_once)
    client = serve()
    until(lambda: failed)
    not_yet = client.get("/ready")
    assert (not_yet.status_code, "events are not written" in not_yet.text) == (503, True)
    assert client.post("/api/v1/lineage", json=run_event("load")).status_code == 201
    assert client.get("/ready").status_code == 200


class BusyGraph(Graph):
    """A graph whose server has no memory to spare."""

    def __init__(self) -> None:
        """Connect to nothing."""

    def ping(self) -> None:
        """Fail as a server does that lives."""
        raise GraphBusy("Neo4j is busy: MemoryPoolOutOfMemoryError")


@pytest.mark.parametrize("plan", ["plan_events", "plan_triggers"])
def test_a_server_is_ready_when_neo4j_has_planned_how_events_are_written_and_fire(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: str
) -> None:
    is_planned = Event()
    Project(tmp_path / "etl", graph, tmp_path / "home").state(AFTER_LOAD)
    monkeypatch.setattr(Writer, plan, lambda writer: is_planned.wait(60) and None)
    own = settings.model_copy(update={"home": tmp_path})
    http = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    http.start()
    waiting = Thread(target=http.await_ingestion)
    waiting.start()
    waiting.join(1)
    assert waiting.is_alive()
    assert httpx.get(f"{http.url}/ready").status_code == 503
    is_planned.set()
    waiting.join(20)
    assert not waiting.is_alive()
    assert httpx.get(f"{http.url}/ready").status_code == 200
    http.stop()


@pytest.fixture
def own_signals() -> Iterator[None]:
    """Signals that a test may have handled: they do afterwards what they did before."""
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, DRAIN)}
    yield
    for one, handler in handlers.items():
        signal.signal(one, handler)


@pytest.mark.usefixtures("own_signals")
def test_a_signal_while_neo4j_plans_ends_the_service_before_there_is_a_daemon(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = Event()

    def plan(writer: Writer) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        assert is_over.wait(60)

    monkeypatch.setattr(Writer, "plan_events", plan)
    own = settings.model_copy(update={"home": tmp_path})
    http = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    service = Service(graph, own, http, Daemon(graph, own))
    assert not service.start()
    assert find_service(own) is None
    is_over.set()
    service.stop()
    assert graph.query("MATCH (p:Process) RETURN p.kind AS kind") == []


def test_events_are_written_and_fire_while_neo4j_plans_how_triggers_do(
    graph: Graph, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plans are made in a transaction, for whose locks nobody else may have to wait."""
    is_planned, is_over = Event(), Event()
    works: list[object] = []
    rehearse = Graph.rehearse

    def rehearsing(self: Graph, work: Callable[[Transaction], object]) -> None:
        def holding(tx: Transaction) -> None:
            work(tx)
            if works[1:]:
                is_planned.set()
                assert is_over.wait(60)

        works.append(work)
        rehearse(self, holding)

    Project(tmp_path / "etl", graph, tmp_path / "home").state(AFTER_LOAD)
    monkeypatch.setattr(Graph, "rehearse", rehearsing)
    own = settings.model_copy(update={"home": tmp_path})
    http = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    http.start()
    try:
        assert is_planned.wait(60)
        assert httpx.get(f"{http.url}/ready").status_code == 503
        for name in ("report", "load"):
            event = run_event(name, inputs=(("db", "a"),), outputs=(("db", "b"),))
            assert httpx.post(f"{http.url}/api/v1/lineage", json=event).status_code == 201
        fired = "MATCH (:Job {simple_name: 'next'})-[:HAS_RUN]->(r:Run) RETURN count(r) AS runs"
        assert graph.query(fired) == [{"runs": 1}]
    finally:
        is_over.set()
        http.stop()


def test_a_server_without_triggers_does_not_wait_for_their_plans(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = Event()
    monkeypatch.setattr(Writer, "plan_triggers", lambda writer: is_over.wait(60) and None)
    client = serve()
    until(lambda: client.get("/ready").status_code == 200)
    assert not is_over.is_set()
    is_over.set()


def test_a_server_whose_triggers_cannot_be_planned_is_ready_all_the_same(
    graph: Graph, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Project(tmp_path / "etl", graph, tmp_path / "home").state(AFTER_LOAD)

    def fail(self: Writer) -> None:
        raise RuntimeError("an error that nobody thought of")

    monkeypatch.setattr(Writer, "plan_triggers", fail)
    client = serve()
    until(lambda: client.get("/ready").status_code == 200)
    assert client.post("/api/v1/lineage", json=run_event("load")).status_code == 201


def test_a_server_that_is_only_busy_is_neither_started_again_nor_the_end(tmp_path: Path) -> None:
    service = Service(BusyGraph(), Settings(home=tmp_path, neo4j_uri=None), None, None)
    service._keep_server()
    assert not (tmp_path / "neo4j").exists()


def test_spooled_events_are_written_between_the_events_that_arrive(
    graph: Graph, tmp_path: Path, settings: Settings
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    lines = [json.dumps(run_event(f"old{number}")) for number in range(1_500)]
    (spool / "000000000001.ndjson").write_text("".join(f"{line}\n" for line in lines))
    own = settings.model_copy(update={"home": tmp_path})
    http = HttpServer(make_application(graph, own), bind("127.0.0.1", 0))
    http.start()
    written = "MATCH (r:Run) WHERE r.name STARTS WITH 'old' RETURN count(r) AS runs"
    with httpx.Client(base_url=http.url, timeout=30, headers=JSON) as client:
        assert client.post("/api/v1/lineage", json=run_event("new")).status_code == 201
        (row,) = graph.query(written)
        assert row["runs"] < len(lines)
        until(lambda: graph.query(written) == [{"runs": len(lines)}], seconds=60)
        until(lambda: not any(spool.glob("*.ndjson")))
    http.stop()


def test_a_token_of_limited_rights_gets_an_answer_from_a_neo4j_that_hangs(
    graph: Graph, server: ServerAddress, settings: Settings, relay: Relay, tmp_path: Path
) -> None:
    token = add_token(graph, "etl", {Role.WRITE: frozenset({"default"})})
    own = settings.model_copy(update={"home": tmp_path, "host": "0.0.0.0", "ingest_seconds": 1.0})
    headers = JSON | {"Authorization": f"Bearer {token}"}
    with Graph(f"bolt://127.0.0.1:{relay.port}", server.user, server.password) as held:
        http = HttpServer(make_application(held, own), bind("127.0.0.1", 0))
        http.start()
        with httpx.Client(base_url=http.url, timeout=30, headers=headers) as client:
            until(lambda: client.get("/ready").status_code == 200, seconds=120)
            assert client.post("/api/v1/lineage", json=run_event("load")).status_code == 201
            relay.hold()
            try:
                for _ in range(12):
                    answer, seconds = timed(
                        client, "POST", "/api/v1/lineage", json=run_event("load")
                    )
                    assert (answer.status_code, seconds < 4) == (503, True), answer.text
            finally:
                relay.release()
            until(lambda: client.post("/api/v1/lineage", json=run_event("load")).status_code == 201)
        http.stop()
