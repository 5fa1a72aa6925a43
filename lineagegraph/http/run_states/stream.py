"""Changes of state as server-sent events, until the client leaves."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, aclosing, nullcontext

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from lineagegraph.errors import Forgotten
from lineagegraph.http.plumbing.formats import AnswerFormat
from lineagegraph.http.run_states.feed import ChangePage, Feed
from lineagegraph.http.run_states.selection import Selection
from lineagegraph.model.access import Caller

log = structlog.get_logger()
EVENTS = AnswerFormat("sse", "text/event-stream")
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept"}
_COME_BACK_MS = 2000
_HEARTBEAT_SECONDS = 15.0
_PATIENCE_SECONDS = 30.0


class EventStream(StreamingResponse):
    """Server-sent events; a client that takes nothing for half a minute is let go.

    `place` is open while it is sent.
    """

    def __init__(
        self, body: AsyncGenerator[bytes], place: AbstractContextManager[None] | None = None
    ) -> None:
        self._body = body
        self._place = place or nullcontext()
        super().__init__(body, headers=HEADERS, media_type=EVENTS.media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the stream."""
        with self._place:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        """Send the chunks of the body."""

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await send(message)

        async with aclosing(self._body):
            try:
                await super().stream_response(send_in_time)
            except TimeoutError:
                # The server closes the connection of an answer that was not completed.
                log.warning("run_states_follower_too_slow")


async def follow(
    feed: Feed,
    after: int,
    chosen: Selection,
    find_caller: Callable[[], Caller | None],
    seconds: float = math.inf,
) -> AsyncGenerator[bytes]:
    """Yield the changes after a number, and signs of life.

    A sign has the id of the newest change that was read: a client that reconnects goes on from
    there, though none of the changes before it was for it. The stream ends once `find_caller`
    finds no caller, or after some seconds: its client continues with another.
    """
    end = time.monotonic() + seconds
    with feed.followed():
        yield b"retry: %d\nid: %d\n\n" % (_COME_BACK_MS, after)
        while not feed.is_over and (remaining := end - time.monotonic()) > 0:
            try:
                page = await feed.next_page(after, min(_HEARTBEAT_SECONDS, remaining))
            except Forgotten as error:
                yield b"event: gone\ndata: %b\n\n" % str(error).encode()
                return
            caller = await run_in_threadpool(find_caller)
            if caller is None:
                return
            after = page.until if page else after
            yield _events(page, chosen, caller) + b": alive\nid: %d\n\n" % after


def _events(page: ChangePage | None, chosen: Selection, caller: Caller) -> bytes:
    told = page.changes if page else []
    return b"".join(
        b"id: %d\ndata: %b\n\n" % (one.change.id, one.text)
        for one in told
        if chosen.takes(one.change, caller)
    )
