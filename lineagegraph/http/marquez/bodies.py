"""Bodies of requests: read before the work begins in a thread, and decoded to what is expected."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.ingest.body import read_body
from lineagegraph.http.marquez.reads import Reads
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.model.typed import decode_json

T = TypeVar("T")


def with_body(
    reads: Reads, work: Callable[[Request], Response]
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that reads the body, for `body_of`, and works in a thread."""

    async def endpoint(request: Request) -> Response:
        request.state.body = await read_body(request, reads.most_bytes)
        return await run_in_threadpool(work, request)

    return endpoint


def body_of(request: Request, kind: type[T]) -> T:
    """Return the body as a value of a type; a body that is empty is an object without members."""
    try:
        return decode_json(request.state.body or b"{}", into=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestRefused(400, f"the body does not fit: {error}") from None
