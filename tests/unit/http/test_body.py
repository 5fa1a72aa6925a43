"""Bodies are unpacked, and never taken beyond the limit."""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from lineagegraph.http.plumbing.bodies import read_body
from lineagegraph.http.plumbing.body_room import BodyRoom
from lineagegraph.http.plumbing.refusal import RequestRefused

LIMIT = 1000
GZIP = {"Content-Encoding": "gzip"}


async def echo(request: Request) -> Response:
    try:
        return Response(await read_body(request, LIMIT))
    except RequestRefused as error:
        return error.answer()


@pytest.fixture
def client() -> Iterator[TestClient]:
    room = Middleware(BodyRoom, seconds=10.0, most_bytes=10 * LIMIT, refused=Counter())
    routes = [Route("/", echo, methods=["POST"])]
    with TestClient(Starlette(routes=routes, middleware=[room])) as client:
        yield client


@pytest.mark.parametrize("size", [0, 1, LIMIT])
def test_a_body_up_to_the_limit_is_taken_plain_or_packed(client: TestClient, size: int) -> None:
    body = b"x" * size
    assert client.post("/", content=body).content == body
    assert client.post("/", content=gzip.compress(body), headers=GZIP).content == body


def test_gzip_of_several_members_is_one_body(client: TestClient) -> None:
    packed = gzip.compress(b"a" * 10) + gzip.compress(b"b" * 10)
    assert client.post("/", content=packed, headers=GZIP).content == b"a" * 10 + b"b" * 10


def test_a_body_over_the_limit_is_refused(client: TestClient) -> None:
    assert client.post("/", content=b"x" * (LIMIT + 1)).status_code == 413


def test_a_small_body_that_unpacks_to_a_large_one_is_refused(client: TestClient) -> None:
    bomb = gzip.compress(b"0" * 50_000_000)
    nested = gzip.compress(b"0" * 900) * 2
    assert client.post("/", content=bomb[:LIMIT], headers=GZIP).status_code == 413
    assert client.post("/", content=nested, headers=GZIP).status_code == 413


@pytest.mark.parametrize(
    "body",
    [b"no gzip", gzip.compress(b"x" * 500)[:-4], gzip.compress(b"")[:5]],
    ids=["not packed", "its end is missing", "its head is missing"],
)
def test_gzip_that_is_none_or_ends_early_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/", content=body, headers=GZIP).status_code == 400


def test_another_encoding_is_refused_with_the_one_that_is_taken(client: TestClient) -> None:
    headers = {"Content-Encoding": "deflate"}
    answer = client.post("/", content=zlib.compress(b"x"), headers=headers)
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "gzip")
