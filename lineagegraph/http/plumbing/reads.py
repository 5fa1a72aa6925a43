"""The graph for reads, and JSON answers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.formats import JSON, LISTS, choose_format, formatted
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.queries.jobs.pages import Page

T = TypeVar("T")


class Reads(NamedTuple):
    """The graph, and whether jobs are served in the namespace of their topmost ancestor.

    `most_bytes` is how long the body of a request may be. With `latest_columns`, column lineage is
    that of the newest runs if a request does not choose.
    """

    graph: Graph
    inherit: bool
    most_bytes: int
    latest_columns: bool = False


def answer(body: Any, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def page_answer(name: str, page: Page[T], shape: Callable[[T], Any]) -> Response:
    """Answer with a part of a list and the length of the whole, or with an item a line."""
    return Listing(name, [shape(item) for item in page.items], page.total)


class Listing(Response):
    """Items under a name with the length of the whole list, or an item a line."""

    def __init__(self, name: str, items: Sequence[Any], total: int) -> None:
        self._name = msgspec.json.encode(name)
        self._items = [msgspec.json.encode(item) for item in items]
        self._total = total
        super().__init__()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            chosen = choose_format(Request(scope), LISTS)
            body = self._json() if chosen is JSON else self._lines()
            answer = formatted(chosen, body)
        except RequestRefused as refused:
            answer = refused.answer()
        await answer(scope, receive, send)

    def _json(self) -> bytes:
        items = b",".join(self._items)
        return b'{%b:[%b],"totalCount":%d}' % (self._name, items, self._total)

    def _lines(self) -> bytes:
        return b"".join(item + b"\n" for item in self._items)
