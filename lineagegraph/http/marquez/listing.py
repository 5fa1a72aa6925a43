"""A part of a list as an answer, in the format that the request asks for."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lineagegraph.http.marquez.formats import JSON, LISTS, choose_format, formatted
from lineagegraph.http.refusal import RequestRefused


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
