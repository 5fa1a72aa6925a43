"""Good producers beside hostile ones and a Neo4j that hangs: quick answers, no event lost."""

import asyncio
import gzip
import json
import os
import random
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2 as httpx
import psutil
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.settings import Settings
from tests.acceptance.ingestion.conftest import JSON
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event

SECONDS, RATE = 10, 25
SOAK_SECONDS, SOAK_RATE = 1_800, 100
EVENTS, BATCH = "/api/v1/lineage", "/api/v1/lineage/batch"
HANG_SECONDS = 6


class Up(NamedTuple):
    """A real server process and its URL."""

    process: "subprocess.Popen[str]"
    url: str


@pytest.fixture
def up(graph: Graph, server: ServerAddress, tmp_path: Path) -> Iterator[Up]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = shared(server, tmp_path / "home")
    own |= {"LINEAGEGRAPH_PORT": str(port), "LINEAGEGRAPH_INGEST_SECONDS": "4"}
    process = Commands(tmp_path, own).start("up", "--only", "http")
    # What is not read would stop the server once the pipe is full.
    output = ThreadPoolExecutor(1).submit(process.communicate)
    url = f"http://127.0.0.1:{port}"
    with httpx.Client(timeout=5) as client:
        until(lambda: process.poll() is not None or _is_ready(client, url), seconds=120)
    yield Up(process, url)
    process.terminate()
    output.result(timeout=60)


def _is_ready(client: httpx.Client, url: str) -> bool:
    with suppress(httpx.HTTPError):
        return client.get(f"{url}/ready").status_code == 200
    return False


class Good:
    """Sends one event after the other at a rate, and keeps how each was answered."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.sent: list[str] = []
        self.answers: Counter[int | str] = Counter()
        self.slowest = 0.0
        self.memory: list[int] = []

    async def send_until(self, end: float, rate: int) -> None:
        """Send without waiting for answers, as many producers do."""
        async with asyncio.TaskGroup() as group:
            while time.monotonic() < end:
                group.create_task(self._send(new_id()))
                await asyncio.sleep(1 / rate)

    async def _send(self, run_id: str) -> None:
        event = run_event(f"good{len(self.sent) % 20}", run_id=run_id, outputs=(("file", "/a"),))
        self.sent.append(run_id)
        began = time.monotonic()
        try:
            answer = await self._client.post(EVENTS, json=event)
            self.answers[answer.status_code] += 1
            if answer.status_code == 503 and "are kept" not in answer.text:
                self.answers["503 and not kept"] += 1
        except httpx.HTTPError as error:
            self.answers[repr(error)] += 1
        self.slowest = max(self.slowest, time.monotonic() - began)


class Health:
    """Asks for the health each second."""

    def __init__(self, client: httpx.AsyncClient, process: psutil.Process) -> None:
        self._client = client
        self._process = process
        self.slowest = 0.0
        self.statuses: Counter[int] = Counter()
        self.memory: list[int] = []

    async def ask_until(self, end: float) -> None:
        """Ask, and measure the memory of the server."""
        while time.monotonic() < end:
            began = time.monotonic()
            answer = await self._client.get("/health")
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.statuses[answer.status_code] += 1
            self.memory.append(self._process.memory_info().rss)
            await asyncio.sleep(1)


def deep_batch() -> bytes:
    """Runs that are each the parent of the next."""
    ids = [new_id() for _ in range(300)]
    events = [run_event("level0", run_id=ids[0])]
    for number in range(1, 300):
        parent = (ids[number - 1], f"level{number - 1}")
        events.append(run_event(f"level{number}", run_id=ids[number], parent=parent))
    return json.dumps(events).encode()


def wide_event() -> bytes:
    """Columns that all come from all of very many columns."""
    event = run_event("wide", outputs=(("file", "/wide"),))
    fields: dict[str, Any] = {f"c{number}": {"inputFields": []} for number in range(150)}
    sources = [{"namespace": "file", "name": "/in", "field": f"x{n}"} for n in range(150)]
    event["outputs"][0]["facets"] = {"columnLineage": {"fields": fields, "dataset": sources}}
    return json.dumps(event).encode()


def large_event() -> bytes:
    """An event with very many inputs."""
    return json.dumps(
        run_event("large", inputs=tuple(("file", f"/in/{number}") for number in range(3_000)))
    ).encode()


def odd_event() -> bytes:
    """A run that is its own parent, one on a cycle of parents, or one with an id of its own."""
    own, other = new_id(), new_id()
    events = [
        run_event("odd", run_id=own, parent=(own, "odd")),
        run_event("odd", run_id=own, parent=(other, "other")),
        run_event("other", run_id=other, parent=(own, "odd")),
        run_event("odd", run_id="manual__2026-01-01T00:00:00+00:00"),
    ]
    return json.dumps(random.choice(events)).encode()


class Hostile:
    """All that a server must stand, each again and again."""

    def __init__(self, client: httpx.AsyncClient, place: tuple[str, int], neo4j: int) -> None:
        self._client = client
        self._place = place
        self._neo4j = neo4j
        self.answers: Counter[int] = Counter()

    async def send_until(self, end: float) -> None:
        """Do everything at once, and what is expensive less often."""
        small = gzip.compress(b"") * 200_000
        packed = {"Content-Encoding": "gzip"}
        async with asyncio.TaskGroup() as group:
            for pause, send in (
                (13, lambda: self._post(BATCH, deep_batch())),
                (11, lambda: self._post(EVENTS, wide_event())),
                (17, lambda: self._post(EVENTS, large_event())),
                (0.5, lambda: self._post(EVENTS, odd_event())),
                (7, lambda: self._post(EVENTS, small, packed)),
                (1, lambda: self._get("/api/v1/namespaces/default/jobs/odd/runs?stat=FAILED")),
                (5, self._read_much),
                (20, self._stall),
                (19, self._hang),
            ):
                group.create_task(self._repeat(end, pause, send))

    async def _repeat(self, end: float, pause: float, send: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(min(pause, 3))
        while time.monotonic() < end:
            with suppress(httpx.HTTPError, OSError):
                await send()
            await asyncio.sleep(pause)

    async def _post(self, path: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        answer = await self._client.post(path, content=body, headers=headers)
        self.answers[answer.status_code] += 1

    async def _get(self, path: str) -> None:
        self.answers[(await self._client.get(path)).status_code] += 1

    async def _read_much(self) -> None:
        await asyncio.gather(*(self._get("/api/v1/jobs?limit=100") for _ in range(45)))

    async def _stall(self) -> None:
        head = f"POST {EVENTS} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        head += "Content-Length: 15900000\r\n\r\n"
        writers = []
        for _ in range(40):
            _, writer = await asyncio.open_connection(*self._place)
            writer.write(head.encode() + b" " * 1_000_000)
            writers.append(writer)
        await asyncio.sleep(10)
        for writer in writers:
            writer.close()

    async def _hang(self) -> None:
        os.kill(self._neo4j, signal.SIGSTOP)
        try:
            await asyncio.sleep(HANG_SECONDS)
        finally:
            os.kill(self._neo4j, signal.SIGCONT)


async def mix(up: Up, neo4j: int, seconds: float, rate: int) -> tuple[Good, Health, Hostile]:
    """Send good and hostile requests for a time."""
    end = time.monotonic() + seconds
    parts = urlsplit(up.url)
    place = (str(parts.hostname), int(parts.port or 0))
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    clients = [
        httpx.AsyncClient(base_url=up.url, timeout=60, headers=JSON, limits=limits)
        for _ in range(3)
    ]
    good, hostile = Good(clients[0]), Hostile(clients[2], place, neo4j)
    health = Health(clients[1], psutil.Process(up.process.pid))
    async with asyncio.TaskGroup() as group:
        group.create_task(good.send_until(end, rate))
        group.create_task(health.ask_until(end))
        group.create_task(hostile.send_until(end))
    for client in clients:
        await client.aclose()
    return good, health, hostile


def check(up: Up, graph: Graph, settings: Settings, seconds: float, rate: int) -> None:
    """Mix good and hostile requests, and check all that was promised."""
    owner = find_owner(server_folder(settings))
    assert owner is not None
    good, health, hostile = asyncio.run(mix(up, owner.pid, seconds, rate))
    assert up.process.poll() is None
    told = (good.answers, good.slowest, health.slowest, hostile.answers)
    assert good.answers.keys() <= {201, 503}, told
    assert good.answers[201] > len(good.sent) / 20, told
    assert good.slowest < 5.5, told
    assert health.slowest < 1.5, told
    assert health.statuses.keys() == {200}
    assert not [status for status in hostile.answers if status >= 500 and status != 503], told
    until(lambda: not missing(graph, good.sent), seconds=120)
    if seconds >= SOAK_SECONDS:
        quarter = len(health.memory) // 4
        assert max(health.memory[-quarter:]) < 1.3 * max(health.memory[quarter : 2 * quarter]), told


def missing(graph: Graph, ids: list[str]) -> list[str]:
    """The ids of the runs that are not in the graph."""
    rows = graph.query(
        "MATCH (r:Run) WHERE r.id IN $ids AND r.state = 'COMPLETED' RETURN r.id AS id", {"ids": ids}
    )
    return sorted(set(ids) - {row["id"] for row in rows})


def test_good_producers_are_served_beside_hostile_ones(
    up: Up, graph: Graph, settings: Settings
) -> None:
    check(up, graph, settings, SECONDS, RATE)


@pytest.mark.soak
@pytest.mark.timeout(SOAK_SECONDS + 600)
def test_half_an_hour_beside_hostile_producers_loses_nothing(
    up: Up, graph: Graph, settings: Settings
) -> None:
    check(up, graph, settings, SOAK_SECONDS, SOAK_RATE)
