"""`/api/v1/run-states`: as a stream of events, or as a page."""

from collections.abc import Callable
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lineagegraph.errors import Forgotten
from lineagegraph.graph import Graph
from lineagegraph.http.access import KnownTokens, caller_of
from lineagegraph.http.marquez.formats import LISTS, choose_format
from lineagegraph.http.marquez.parameters import whole_number
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.http.run_states.feed import Feed
from lineagegraph.http.run_states.pages import page_answer, read_page
from lineagegraph.http.run_states.schema import make_schema
from lineagegraph.http.run_states.selection import (
    NEWEST,
    OLDEST,
    Selection,
    read_position,
    read_selection,
)
from lineagegraph.http.run_states.stream import EVENTS, HEADERS, EventStream, follow
from lineagegraph.model.access import Caller
from lineagegraph.queries.runs.run_states import check_kept

_PATH = "/api/v1/run-states"
_PATIENCE_SECONDS = 5.0
_MOST_FOLLOWERS = 1000


class RunStates:
    """The stream of one graph's run states; `stop` ends all that follow it."""

    def __init__(self, graph: Graph, inherit: bool, tokens: KnownTokens) -> None:
        self._graph = graph.with_patience(_PATIENCE_SECONDS)
        self._inherit = inherit
        self._tokens = tokens
        self._feed = Feed(self._graph, inherit)
        self.routes = [
            Route(_PATH, self.get_run_states, methods=["GET"]),
            Route(f"{_PATH}/schema", self.get_schema, methods=["GET"]),
        ]

    def stop(self) -> None:
        """Let all followers come to their end, and take no new ones."""
        self._feed.stop()

    def get_schema(self, request: Request) -> Response:
        """Answer with the JSON Schema of a change."""
        return Response(msgspec.json.encode(make_schema()), media_type="application/schema+json")

    async def get_run_states(self, request: Request) -> Response:
        """Answer with a stream, unless the request asks for a page."""
        is_named = "format" in request.query_params
        form = choose_format(request, LISTS if is_named else (EVENTS, *LISTS))
        chosen, position = read_selection(request), read_position(request)
        try:
            if form is EVENTS:
                return await self._stream(request, position or NEWEST, chosen)
            limit = whole_number(request, "limit", 100, 1000)
            bounds = await self._feed.look()
            after = _after(position or OLDEST, bounds.forgotten, bounds.newest)
            check_kept(bounds, after)
        except Forgotten as error:
            return _gone(error)
        found, next_ = await run_in_threadpool(
            read_page, self._graph, bounds, after, limit, chosen, caller_of(request), self._inherit
        )
        return page_answer(form, found, next_, bounds)

    async def _stream(self, request: Request, position: str | int, chosen: Selection) -> Response:
        if self._feed.is_over:
            raise RequestRefused(503, "lineagegraph is stopping", retry_after=5)
        if self._feed.followers >= _MOST_FOLLOWERS:
            raise RequestRefused(503, "too many follow the states of runs", retry_after=30)
        bounds = await self._feed.look()
        after = _after(position, bounds.forgotten, bounds.newest)
        check_kept(bounds, after)
        if request.method == "HEAD":
            return Response(headers=HEADERS, media_type=EVENTS.media_type)
        return EventStream(follow(self._feed, after, chosen, self._finder(request)))

    def _finder(self, request: Request) -> Callable[[], Caller | None]:
        """Return what finds out who the caller is now: a token may be revoked meanwhile."""
        caller = caller_of(request)
        if caller.token is None:
            return lambda: caller
        token = request.headers["authorization"].partition(" ")[2].strip()
        return partial(self._tokens.find, token.encode("latin-1"))


def _after(position: str | int, forgotten: int, newest: int) -> int:
    if isinstance(position, int):
        return position
    return forgotten if position == OLDEST else newest


def _gone(error: Forgotten) -> Response:
    body = {"error": str(error), "oldest": error.oldest, "newest": error.newest}
    return JSONResponse(body, 410)
