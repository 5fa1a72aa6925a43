"""Neo4j away, a full disk, a killed server: no acknowledged event is lost, none is there twice."""

import json
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import psutil
import pytest

from lineagegraph import neo4j_server
from lineagegraph.graph import Graph, answers, migrate
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from tests.acceptance.disks import mounted
from tests.acceptance.ingestion.conftest import Serve
from tests.acceptance.ingestion.relay import Relay
from tests.acceptance.processes import Commands, kill_neo4j, shared, until
from tests.events import run_event


def recorded(graph: Graph) -> set[str]:
    """The ids of runs that have an event, each of which must be there once."""
    rows = graph.query("MATCH (:Event)-[:REPORTS]->(r:Run) RETURN r.id AS id, count(*) AS events")
    assert all(row["events"] == 1 for row in rows)
    return {row["id"] for row in rows}


def run_id(event: dict[str, Any]) -> str:
    return str(event["run"]["runId"])


class Load:
    """Clients that send events of new runs until told to stop, or until nobody answers."""

    def __init__(self, url: str, clients: int = 8) -> None:
        self.acknowledged: list[str] = []
        self.statuses: set[int] = set()
        self._url = url
        self._is_over = threading.Event()
        self._pool = ThreadPoolExecutor(clients)
        self._clients = [self._pool.submit(self._send) for _ in range(clients)]

    def end(self) -> list[str]:
        """Stop the clients and return the runs that were acknowledged."""
        self._is_over.set()
        for client in self._clients:
            client.result()
        self._pool.shutdown()
        return self.acknowledged

    def _send(self) -> None:
        with httpx.Client(base_url=self._url, timeout=60) as client:
            while not self._is_over.is_set():
                event = run_event("job", outputs=(("file", "/out"),))
                try:
                    answer = client.post("/api/v1/lineage", json=event)
                except httpx.TransportError:
                    return
                self.statuses.add(answer.status_code)
                if answer.status_code == 201:
                    self.acknowledged.append(run_id(event))


@pytest.fixture
def commands(server: ServerAddress, tmp_path: Path) -> Iterator[Commands]:
    found = Commands(tmp_path, shared(server, tmp_path / "home"))
    yield found
    found("down")


def up(commands: Commands) -> tuple[int, str]:
    """Start the server alone, and return its process and its URL."""
    found = commands("up", "--only", "http", "--detach")
    assert found.returncode == 0, found.stderr
    note = json.loads((commands.folder / "home" / "up.json").read_text())
    return note["pid"], note["http"]


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_under_load_keeps_all_that_it_acknowledged(
    commands: Commands, graph: Graph, signum: signal.Signals
) -> None:
    pid, url = up(commands)
    load = Load(url)
    until(lambda: len(load.acknowledged) > 100, 60)
    psutil.Process(pid).send_signal(signum)
    acknowledged = load.end()
    assert load.statuses <= {201, 503}
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == "zombie", 40)
    assert set(acknowledged) <= recorded(graph)
    _, url = up(commands)
    assert post(url, run_event("job")).status_code == 201


def test_a_spool_that_a_killed_server_left_is_written_at_the_next_start(
    serve: Serve, graph: Graph, home: Path
) -> None:
    events = [run_event("job") for _ in range(3)]
    lines = [json.dumps(event) for event in events]
    (home / "spool").mkdir()
    first, second = home / "spool" / "000000000001.ndjson", home / "spool" / "000000000002.ndjson"
    first.write_text(f"{lines[0]}\n{{}}\nno json\n{lines[1]}\n")
    second.write_text(f'{lines[2]}\n{{"eventTime": "2026-')
    serve()
    until(lambda: not second.exists(), 30)
    assert not first.exists()
    assert recorded(graph) == set(map(run_id, events))
    refused = (home / "spool" / "refused.ndjson").read_text().splitlines()
    assert [json.loads(line)["event"] for line in refused] == ["{}", "no json"]


def post(url: str, body: Any, path: str = "/api/v1/lineage") -> httpx.Response:
    return httpx.post(f"{url}{path}", json=body, timeout=60)


def check_outage(
    graph: Graph, settings: Settings, leave: Callable[[], object], come_back: Callable[[], object]
) -> None:
    """Nothing is lost where Neo4j leaves under load and comes back."""
    server = HttpServer(make_application(graph, settings), bind("127.0.0.1", 0))
    server.start()
    load = Load(server.url)
    until(lambda: len(load.acknowledged) > 50, 60)
    leave()
    until(lambda: 503 in load.statuses, 30)
    acknowledged = load.end()
    kept = [run_event("job") for _ in range(5)]
    refusals = [post(server.url, event) for event in kept]
    assert [refusal.status_code for refusal in refusals] == [503] * 5
    assert all(int(refusal.headers["retry-after"]) > 0 for refusal in refusals)
    batch = post(server.url, [run_event("job"), {}], "/api/v1/lineage/batch")
    assert batch.status_code == 503
    come_back()
    until(lambda: not list((settings.home / "spool").glob("0*.ndjson")), 60)
    assert set(acknowledged) | set(map(run_id, kept)) <= recorded(graph)
    assert post(server.url, kept[0]).status_code == 201
    assert load.statuses == {201, 503}
    server.stop()


@pytest.fixture
def relay(server: ServerAddress) -> Iterator[Relay]:
    host, _, port = server.bolt.removeprefix("bolt://").partition(":")
    found = Relay(host, int(port))
    yield found
    found.cut()


@pytest.fixture
def relayed(relay: Relay, server: ServerAddress, graph: Graph) -> Iterator[Graph]:
    """The session's graph, by a road that can be cut."""
    with Graph(f"bolt://127.0.0.1:{relay.port}", server.user, server.password) as found:
        yield found


def test_while_neo4j_is_away_events_are_kept_on_disk_and_written_when_it_is_back(
    relay: Relay, relayed: Graph, settings: Settings, home: Path
) -> None:
    own = settings.model_copy(update={"home": home})
    check_outage(relayed, own, relay.cut, relay.mend)


def test_without_room_for_the_spool_the_answer_is_the_same(
    relay: Relay, relayed: Graph, settings: Settings, home: Path
) -> None:
    own = settings.model_copy(update={"home": home, "max_spool_bytes": 0})
    http = HttpServer(make_application(relayed, own), bind("127.0.0.1", 0))
    http.start()
    event = run_event("job")
    assert post(http.url, event).status_code == 201
    relay.cut()
    assert post(http.url, event).status_code == 503
    relay.mend()
    until(lambda: post(http.url, event).status_code == 201, 30)
    http.stop()


@pytest.fixture
def alone(disk: Path) -> Iterator[Commands]:
    """Commands on a disk of their own, with a Neo4j of their own."""
    memory = {"LINEAGEGRAPH_NEO4J_HEAP": "512m", "LINEAGEGRAPH_NEO4J_PAGE_CACHE": "64m"}
    settings = {"LINEAGEGRAPH_HOME": str(disk / "home"), "LINEAGEGRAPH_PORT": "0"}
    settings |= {"LINEAGEGRAPH_MIN_FREE_BYTES": "100000000"}
    found = Commands(disk, settings | memory)
    yield found
    found("down")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 500 MB."""
    with mounted(tmp_path / "disk", "500m") as folder:
        yield folder


def check_recovery(
    commands: Commands, leave: Callable[[], object], mend: Callable[[], object]
) -> None:
    """All that was acknowledged before, while and after Neo4j failed is there, once."""
    _, url = up(commands)
    load = Load(url)
    until(lambda: len(load.acknowledged) > 200, 60)
    leave()
    until(lambda: 503 in load.statuses, 60)
    mend()
    before = len(load.acknowledged)
    until(lambda: len(load.acknowledged) > before + 200, 180)
    acknowledged = load.end()
    assert load.statuses == {201, 503}
    until(lambda: not list((commands.folder / "home" / "spool").glob("0*.ndjson")), 60)
    home = Settings(home=commands.folder / "home", neo4j_uri=None)
    address = neo4j_server.start(home, answers)
    with Graph(address.bolt, address.user, address.password) as graph:
        assert set(acknowledged) <= recorded(graph)


@pytest.mark.soak
def test_a_neo4j_killed_under_load_comes_back_with_all_that_was_acknowledged(
    alone: Commands,
) -> None:
    check_recovery(alone, lambda: kill_neo4j(alone.folder / "home"), lambda: None)


@pytest.mark.soak
def test_a_disk_that_fills_up_under_load_loses_nothing_that_was_acknowledged(
    alone: Commands, disk: Path
) -> None:
    filler = disk / "filler"

    def fill() -> None:
        with filler.open("wb") as file, suppress(OSError):
            while file.write(bytes(1_000_000)):
                pass

    check_recovery(alone, fill, filler.unlink)


@pytest.mark.soak
def test_a_stopped_neo4j_that_is_started_again_finds_all_that_came_meanwhile(
    tmp_path: Path,
) -> None:
    own = Settings(
        home=tmp_path, neo4j_uri=None, neo4j_heap="512m", neo4j_page_cache="128m", port=0
    )
    address = neo4j_server.start(own, answers)
    try:
        with Graph(address.bolt, address.user, address.password) as graph:
            migrate(graph)
            check_outage(
                graph, own, lambda: neo4j_server.stop(own), lambda: neo4j_server.start(own, answers)
            )
    finally:
        neo4j_server.stop(own)
