"""The few threads in which requests are answered that wait for Neo4j."""

import asyncio
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.plumbing.refusal import RequestRefused

# With more of them the event loop waits for the interpreter lock behind each that is busy: with 40
# the server answered nobody for seconds while 45 asked for long lists.
_THREADS = 6
_PATIENCE_SECONDS = 30
_RETRY_SECONDS = 5


def answer_threads() -> asyncio.Semaphore:
    """Return what an application keeps as `state.answer_threads`."""
    return asyncio.Semaphore(_THREADS)


async def answer_in_thread(work: Callable[[Request], Response], request: Request) -> Response:
    """Answer a request in a thread; raise `RequestRefused` if none is free for too long."""
    threads: asyncio.Semaphore = request.app.state.answer_threads
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await threads.acquire()
    except TimeoutError:
        raise RequestRefused(
            503,
            f"not answered after {_PATIENCE_SECONDS} s, as Neo4j hangs or is busy: ask again later",
            retry_after=_RETRY_SECONDS,
        ) from None
    try:
        return await run_in_threadpool(work, request)
    finally:
        threads.release()
