"""Good producers beside hostile ones and a Neo4j that hangs: quick answers, no event lost."""

import asyncio
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

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
from tests.acceptance.ingestion.hostile import send_hostile
from tests.acceptance.processes import Commands, shared, until
from tests.events import run_event

SECONDS, RATE = 10, 25
SOAK_SECONDS, SOAK_RATE = 1_800, 100
EVENTS = "/api/v1/lineage"


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
    own |= {"LINEAGEGRAPH_PORT": str(port), "LINEAGEGRAPH_INGEST_SECONDS": "3.5"}
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


async def mix(url: str, seconds: float, rate: int, process: int) -> tuple[Good, Health]:
    """Send good events for a time, and ask for the server's health."""
    end = time.monotonic() + seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    async with (
        httpx.AsyncClient(base_url=url, timeout=60, headers=JSON, limits=limits) as sender,
        httpx.AsyncClient(base_url=url, timeout=60) as other,
        asyncio.TaskGroup() as group,
    ):
        good, health = Good(sender), Health(other, psutil.Process(process))
        group.create_task(good.send_until(end, rate))
        group.create_task(health.ask_until(end))
    return good, health


def check(up: Up, graph: Graph, settings: Settings, seconds: float, rate: int) -> None:
    """Mix good and hostile requests, and check all that was promised."""
    owner = find_owner(server_folder(settings))
    assert owner is not None
    # A process of its own: what it costs to be hostile is no time of the server's.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        hostile = pool.submit(send_hostile, up.url, owner.pid, seconds)
        good, health = asyncio.run(mix(up.url, seconds, rate, up.process.pid))
    assert up.process.poll() is None
    told = (good.answers, good.slowest, health.slowest, hostile.result())
    assert good.answers.keys() <= {201, 503}, told
    assert good.answers[201] > len(good.sent) / 20, told
    assert good.slowest < 5.5, told
    assert health.slowest < 1.5, told
    assert health.statuses.keys() == {200}
    assert not [status for status in hostile.result() if status >= 500 and status != 503], told
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
