"""Bodies of requests: read up to a limit, unpacked, and decoded to a type."""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from lineagegraph.http.plumbing.answer_threads import answer_in_thread
from lineagegraph.http.plumbing.body_room import BodyLease, lease_of
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.typed import decode_json

T = TypeVar("T")

_GZIP = 31
# Each is a copy of what is left.
_MOST_MEMBERS = 100
# A client that sends too much reads the answer only if the server reads on.
_TAKEN_BEYOND = 8


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body; raise `RequestRefused` if it is too large or late, or cannot be unpacked."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip"):
        raise RequestRefused(
            415,
            f"unknown content encoding {encoding!r}: send gzip or none",
            headers={"Accept-Encoding": "gzip"},
        )
    lease = lease_of(request)
    try:
        async with asyncio.timeout(lease.seconds):
            sent = await _receive(request, limit, lease)
    except TimeoutError:
        raise lease.overdue() from None
    if encoding != "gzip":
        return sent
    unpacked = await run_in_threadpool(_unzip, sent, limit)
    lease.hold(len(unpacked))
    return unpacked


def with_body(
    most_bytes: int, work: Callable[[Request], Response]
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that reads the body for `body_of` and works in a thread."""

    async def endpoint(request: Request) -> Response:
        request.state.body = await read_body(request, most_bytes)
        return await answer_in_thread(work, request)

    return endpoint


def body_of(request: Request, kind: type[T]) -> T:
    """Return the body as a value of a type; an empty body counts as an empty object."""
    try:
        return decode_json(request.state.body or b"{}", into=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestRefused(400, f"the body is not valid: {error}") from None


async def _receive(request: Request, limit: int, lease: BodyLease) -> bytes:
    if "expect" in request.headers and int(request.headers.get("content-length", 0)) > limit:
        raise _too_large(limit)
    chunks, size = [], 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size <= limit:
                lease.hold(len(chunk))
                chunks.append(chunk)
            else:
                chunks.clear()
                lease.release()
            if size > limit * _TAKEN_BEYOND:
                break
    except ClientDisconnect:
        raise RequestRefused(400, "the body ended early") from None
    if size > limit:
        raise _too_large(limit)
    return b"".join(chunks)


def _unzip(packed: bytes, limit: int) -> bytes:
    """Unpack gzip of one or more members, and stop at the limit however much is left."""
    unpacked = bytearray()
    for _ in range(_MOST_MEMBERS):
        member = zlib.decompressobj(_GZIP)
        try:
            unpacked += member.decompress(packed, limit + 1 - len(unpacked))
        except zlib.error as error:
            raise RequestRefused(400, f"the body is not gzip: {error}") from None
        if len(unpacked) > limit:
            raise _too_large(limit)
        if not member.eof:
            raise RequestRefused(400, "the gzip body ends early")
        packed = member.unused_data
        if not packed:
            return bytes(unpacked)
    raise RequestRefused(400, f"the gzip body has more than {_MOST_MEMBERS} members")


def _too_large(limit: int) -> RequestRefused:
    return RequestRefused(413, f"the body has more than {limit} bytes (setting max_body_bytes)")
