"""A process that sends a server all that it must stand, each again and again."""

import asyncio
import gzip
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx

from lineagegraph.model.runs.ids import new_id
from tests.acceptance.ingestion.conftest import JSON
from tests.events import run_event

EVENTS, BATCH = "/api/v1/lineage", "/api/v1/lineage/batch"
HANG_SECONDS = 6


def send_hostile(url: str, neo4j: int, seconds: float) -> Counter[int]:
    """Send for a time, and return how often the server gave which status."""
    return asyncio.run(_send(url, neo4j, seconds))


async def _send(url: str, neo4j: int, seconds: float) -> Counter[int]:
    parts = urlsplit(url)
    place = (str(parts.hostname), int(parts.port or 0))
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=60, headers=JSON, limits=limits) as client:
        hostile = Hostile(client, place, neo4j)
        await hostile.send_until(time.monotonic() + seconds)
    return hostile.answers


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
