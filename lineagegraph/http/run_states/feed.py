"""The feed that all followers of a server share: one poll of the graph, and its pages.

A follower has no queue. It has a position, and takes the next page when it has sent the last one;
so a slow one costs nothing, and reads older pages from the graph again.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import msgspec
import structlog
from starlette.concurrency import run_in_threadpool

from lineagegraph.errors import LineagegraphError
from lineagegraph.graph import Graph
from lineagegraph.ingest.numbering import number_changes
from lineagegraph.queries.runs.run_states import RunStateChange, check_kept, read_changes
from lineagegraph.store.runs.state_changes import Bounds

log = structlog.get_logger()
PAGE = 200
_KEPT_PAGES = 16
_MOST_READS = 4
_POLL_SECONDS = 0.25
_AWAY_SECONDS = 1.0


class EncodedChange(NamedTuple):
    """A change, and its JSON."""

    change: RunStateChange
    text: bytes


class ChangePage(NamedTuple):
    """The changes up to a number."""

    changes: list[EncodedChange]
    until: int


class Feed:
    """Polls for changes while there are followers, and hands out pages of them."""

    def __init__(self, graph: Graph, inherit: bool) -> None:
        self._graph = graph
        self._inherit = inherit
        self._bounds = Bounds(-1, 0, False)
        self._looking = asyncio.Lock()
        self._pages: dict[int, asyncio.Task[ChangePage]] = {}
        self._reads = asyncio.Semaphore(_MOST_READS)
        self._news = asyncio.Event()
        self._poller: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.followers = 0
        self.is_over = False

    async def look(self) -> Bounds:
        """Return how far the numbers go now."""
        # One poll at a time: a later one never sees less.
        async with self._looking:
            newest = self._bounds.newest
            bounds = await run_in_threadpool(number_changes, self._graph, newest)
            has_news = bounds != self._bounds
            self._bounds = bounds
        if has_news:
            self._wake()
        return bounds

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Poll for changes while this is open."""
        self._loop = asyncio.get_running_loop()
        self.followers += 1
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())
        try:
            yield
        finally:
            self.followers -= 1

    def stop(self) -> None:
        """Let all followers come to their end; to be called from another thread."""
        self.is_over = True
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    async def next_page(self, after: int, seconds: float) -> ChangePage | None:
        """Return the changes after a number, or None if none came for so long.

        Raises `Forgotten` if they are no longer kept.
        """
        check_kept(self._bounds, after)
        if after == self._bounds.newest:
            await self._wait(seconds)
        if after >= self._bounds.newest:
            return None
        try:
            return await asyncio.shield(self._page(after))
        except LineagegraphError as error:
            log.warning("run_states_not_read", error=str(error))
            await asyncio.sleep(_AWAY_SECONDS)
            return None

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _page(self, after: int) -> "asyncio.Task[ChangePage]":
        page = self._pages.get(after)
        if page is None or (page.done() and (page.cancelled() or page.exception())):
            page = asyncio.create_task(self._read(after, min(after + PAGE, self._bounds.newest)))
            self._pages[after] = page
            if len(self._pages) > _KEPT_PAGES:
                del self._pages[next(iter(self._pages))]
        return page

    async def _read(self, after: int, until: int) -> ChangePage:
        async with self._reads:
            found = await run_in_threadpool(
                self._graph.read, read_changes, after, until, self._inherit
            )
        return ChangePage(
            [EncodedChange(change, msgspec.json.encode(change)) for change in found], until
        )

    async def _poll(self) -> None:
        while self.followers and not self.is_over:
            try:
                await self.look()
                await asyncio.sleep(_POLL_SECONDS)
            except Exception as error:
                is_known = isinstance(error, LineagegraphError)
                log.warning("run_states_not_read", error=str(error), exc_info=not is_known)
                await asyncio.sleep(_AWAY_SECONDS)
