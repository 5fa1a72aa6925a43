"""The routes that take events from producers."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from anyio import CapacityLimiter, fail_after, to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import InvalidEvent
from lineagegraph.graph import Graph
from lineagegraph.http.access import CallerLimits, caller_of, has_no_claims, judge_events
from lineagegraph.http.ingest.answers import JudgedEvent, as_refusal, batch_answer, event_answer
from lineagegraph.http.ingest.counts import IngestCounts
from lineagegraph.http.ingest.decoding import decode_array, decode_json
from lineagegraph.http.ingest.disk_room import DiskRoom
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.group_commit import GroupCommit
from lineagegraph.http.ingest.operations import OPERATIONS
from lineagegraph.http.ingest.received import Received, receive
from lineagegraph.http.ingest.spool import IngestSpool
from lineagegraph.http.ingest.waiting import Outcome, WaitingRoom
from lineagegraph.http.ingest.writer import Writer
from lineagegraph.http.plumbing.bodies import read_body
from lineagegraph.http.plumbing.operations import known_parameters
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Caller
from lineagegraph.settings import Settings

T = TypeVar("T")
# Below this, handing a body to a thread takes longer than it.
_AT_ONCE_BYTES = 50_000
# A Neo4j that hangs must not make all producers hang with it.
_LOOK_SECONDS = 0.5
_RETRY_SECONDS = 5
_THREADS = 8


class Ingestion:
    """Takes events over HTTP; runs while its `running` context is open."""

    def __init__(
        self, graph: Graph, settings: Settings, nudge: Callable[[], None], limits: CallerLimits
    ) -> None:
        max_event_age = settings.max_event_age
        self._graph = graph
        self._limit = settings.max_body_bytes
        self._strict = settings.strict
        self._limits = limits
        self._check = FacetCheck()
        # Those of the reads may all wait for Neo4j.
        self._threads = CapacityLimiter(_THREADS)
        self._judging = CapacityLimiter(_THREADS)
        self._patience_seconds = settings.ingest_seconds
        least_free = 0 if settings.neo4j_uri else settings.min_free_bytes
        self._commit = GroupCommit(
            Writer(graph, max_event_age, nudge, settings.notify),
            IngestSpool(settings.home / "spool", settings.max_spool_bytes, least_free),
            WaitingRoom(settings.max_waiting_events, settings.max_waiting_bytes),
            DiskRoom(settings.home, least_free),
            settings.ingest_seconds,
        )
        self.routes = [
            RawRoute(one.path, endpoint, methods=[one.method], known=known_parameters(one))
            for one, endpoint in zip(OPERATIONS, (self.post_event, self.post_batch), strict=True)
        ]

    @property
    def is_running(self) -> bool:
        """Whether events are written now."""
        return self._commit.is_running

    def counts(self) -> IngestCounts:
        """Return the outcomes of the events so far."""
        return self._commit.counts()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Write events while this is open; those in hand at its end are written first."""
        self._commit.start()
        try:
            yield
        finally:
            self._commit.stop()

    def take(self, caller: Caller, events: list[dict[str, Any]]) -> None:
        """Write events, and return once they are in the graph; to be called from a thread."""
        try:
            author = caller.author
            received = [receive(event, self._check, author=author) for event in events]
            judged = self._judged(caller, received)
            for refused in judged:
                if isinstance(refused, RequestRefused):
                    raise refused
            allowed = [one for one in judged if isinstance(one, Received)]
            written = self._commit.submit(allowed)
            began = time.monotonic()
            while wait(written, self._look_seconds(allowed)).not_done:
                if aside := self._commit.set_aside(allowed, waited=time.monotonic() - began):
                    wait([aside.is_kept])
                    _give_up(written)
                    raise aside.as_refusal()
            for outcome in chain.from_iterable(one.result() for one in written):
                if outcome:
                    raise as_refusal(outcome)
        except InvalidEvent as error:
            raise as_refusal(error) from None

    async def post_event(self, request: Request) -> Response:
        """Take one event."""
        self._limits.take_events(request, 1)
        body = await read_body(request, self._limit)
        caller = caller_of(request)
        received = await _beside(body, partial(self._receive_one, caller.author))
        (judged,) = await self._written(caller, [received])
        return event_answer(judged)

    async def post_batch(self, request: Request) -> Response:
        """Take an array of events, each for itself."""
        body = await read_body(request, self._limit)
        caller = caller_of(request)
        found = await _beside(body, partial(self._receive_all, caller.author))
        self._limits.take_events(request, len(found))
        valid = [one for one in found if isinstance(one, Received)]
        outcomes = iter(await self._written(caller, valid))
        return batch_answer(
            [next(outcomes) if isinstance(one, Received) else JudgedEvent(one, []) for one in found]
        )

    async def _written(self, caller: Caller, events: list[Received]) -> list[JudgedEvent]:
        """Write the events that the caller may send, and return the outcome of each."""
        judged: Sequence[Received | RequestRefused] = events
        if not has_no_claims(caller, [one.event for one in events]):
            judged = await self._judged_in_time(caller, events)
        allowed = [one for one in judged if isinstance(one, Received)]
        outcomes = iter(await self._committed(allowed))
        return [
            JudgedEvent(next(outcomes), one.reports, one.claims)
            if isinstance(one, Received)
            else JudgedEvent(one, [])
            for one in judged
        ]

    async def _judged_in_time(
        self, caller: Caller, events: Sequence[Received]
    ) -> list[Received | RequestRefused]:
        """Judge events; raise `RequestRefused` if Neo4j takes too long for it."""
        try:
            with fail_after(self._patience_seconds):
                return await to_thread.run_sync(
                    self._judged, caller, events, abandon_on_cancel=True, limiter=self._judging
                )
        except TimeoutError:
            raise RequestRefused(
                503,
                f"the token's rights were not known after {self._patience_seconds:.0f} s, as Neo4j "
                "hangs or is busy: send the events again",
                retry_after=_RETRY_SECONDS,
            ) from None

    def _judged(
        self, caller: Caller, events: Sequence[Received]
    ) -> list[Received | RequestRefused]:
        """Return each event with its claims, or the refusal of its sender."""
        rights = judge_events(self._graph, caller, [one.event for one in events])
        return [
            right if isinstance(right, RequestRefused) else one.claiming(right)
            for one, right in zip(events, rights, strict=True)
        ]

    async def _committed(self, events: list[Received]) -> list[Outcome]:
        futures = self._commit.submit(events)
        written = [asyncio.wrap_future(future) for future in futures]
        began = time.monotonic()
        while written and (await asyncio.wait(written, timeout=self._look_seconds(events)))[1]:
            waited = time.monotonic() - began
            aside = await to_thread.run_sync(
                self._commit.set_aside, events, waited, limiter=self._threads
            )
            if aside:
                await asyncio.wait([asyncio.wrap_future(aside.is_kept)])
                _give_up(futures)
                raise aside.as_refusal()
        return [outcome for one in written for outcome in one.result()]

    def _look_seconds(self, events: list[Received]) -> float:
        # Thousands of single events can wait: each takes a thread only when its time is over.
        return self._patience_seconds if len(events) == 1 else _LOOK_SECONDS

    def _receive_one(self, author: str | None, body: bytes) -> Received:
        return receive(decode_json(body), self._check, strict=self._strict, author=author)

    def _receive_all(self, author: str | None, body: bytes) -> list[Received | InvalidEvent]:
        return [self._received(author, event) for event in decode_array(body)]

    def _received(self, author: str | None, event: Any) -> Received | InvalidEvent:
        try:
            return receive(event, self._check, strict=self._strict, author=author)
        except InvalidEvent as error:
            return error


def _give_up(futures: "list[Future[list[Outcome]]]") -> None:
    """Leave out what still waits: it would only hold up the events after it."""
    for future in futures:
        future.cancel()


async def _beside(body: bytes, work: Callable[[bytes], T]) -> T:
    """Do work on a body: on a large one beside the event loop, which others wait for."""
    try:
        return work(body) if len(body) < _AT_ONCE_BYTES else await run_in_threadpool(work, body)
    except InvalidEvent as error:
        raise as_refusal(error) from None
