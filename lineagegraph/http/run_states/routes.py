"""`/api/v1/run-states`: as a stream of events, or as a page."""

from typing import Annotated, Any, Literal

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import Forgotten
from lineagegraph.graph import Graph
from lineagegraph.http.access import CallerLimits, caller_of, foreign_page
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.plumbing.formats import LISTS, choose_format
from lineagegraph.http.plumbing.operations import (
    NDJSON_TYPE,
    ApiParameter,
    Endpoint,
    Reply,
    get,
    plain,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import whole_number
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.plumbing.schemas import make_schema
from lineagegraph.http.run_states.feed import Feed
from lineagegraph.http.run_states.pages import RunStatePageAnswer, page_answer, read_page
from lineagegraph.http.run_states.selection import (
    NEWEST,
    OLDEST,
    Selection,
    read_position,
    read_selection,
)
from lineagegraph.http.run_states.stream import EVENTS, HEADERS, EventStream, follow
from lineagegraph.queries.runs.run_states import RunStateChange, check_kept
from lineagegraph.settings import Settings

_PATH = "/api/v1/run-states"
_SCHEMA_TYPE = "application/schema+json"
_PATIENCE_SECONDS = 5.0
_MOST_FOLLOWERS = 1000


class RunStatesGoneAnswer(AnswerStruct):
    """Why changes cannot be read, and those that can."""

    error: str
    oldest: Annotated[int, about("The oldest id that is kept or to come.")]
    newest: int


OPERATIONS = tagged(
    "runs",
    get(
        _PATH,
        "getRunStates",
        "Changes of state of all runs: as server-sent events without end, or a page of them.",
        Reply(
            "The changes in the order of their ids. The data of an event, and a line of NDJSON, "
            "is a RunStateChange.",
            RunStatePageAnswer,
            texts=(NDJSON_TYPE, EVENTS.media_type),
        ),
        ApiParameter(
            "after",
            Annotated[str, msgspec.Meta(pattern="^([0-9]{1,16}|oldest|newest)$")],
            "oldest",
            "Begin after the change of this id, with the oldest that is kept (the default of a "
            "page), or with those yet to come (the default of a stream). The header Last-Event-ID "
            "takes precedence.",
        ),
        ApiParameter(
            "limit",
            Annotated[int, msgspec.Meta(ge=0, le=1000)],
            5,
            "The most changes in a page.",
            default=100,
        ),
        ApiParameter(
            "namespace",
            list[str],
            ["experimentation"],
            "Only jobs that are served in one of these.",
        ),
        ApiParameter("job", list[str], ["daily.metrics"], "Only jobs of one of these full names."),
        ApiParameter(
            "state",
            list[str],
            ["FAILED", "KILLED"],
            "Only changes to one of these states; CDAP's words are known too.",
        ),
        ApiParameter(
            "format",
            Literal["json", "ndjson"],
            "ndjson",
            "A page in this format, whatever the request accepts.",
        ),
        also=(
            Reply(
                "Changes after this id are no longer stored, or the id does not exist yet.",
                RunStatesGoneAnswer,
                410,
            ),
        ),
    ),
    plain(
        f"{_PATH}/schema",
        "getRunStateSchema",
        "The JSON Schema of a change of state.",
        Reply("JSON Schema 2020-12.", dict[str, Any], json_type=_SCHEMA_TYPE),
    ),
)


class RunStates:
    """The stream of one graph's run states; `stop` ends all that follow it."""

    def __init__(self, graph: Graph, settings: Settings, limits: CallerLimits) -> None:
        self._graph = graph.with_patience(_PATIENCE_SECONDS)
        self._inherit = settings.inherit_namespace
        self._seconds = settings.stream_seconds
        self._limits = limits
        self._feed = Feed(self._graph, self._inherit)
        endpoints: dict[str, Endpoint] = {
            "getRunStates": self.get_run_states,
            "getRunStateSchema": self.get_schema,
        }
        self.routes = routes_of(OPERATIONS, endpoints)

    def stop(self) -> None:
        """Let all followers come to their end, and take no new ones."""
        self._feed.stop()

    def get_schema(self, request: Request) -> Response:
        """Answer with the JSON Schema of a change."""
        return Response(
            msgspec.json.encode(make_schema(RunStateChange)), media_type="application/schema+json"
        )

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
        if request.state.foreign:
            raise foreign_page(request.state.foreign)
        if self._feed.is_over:
            raise RequestRefused(503, "lineagegraph is stopping", retry_after=5)
        if self._feed.followers >= _MOST_FOLLOWERS:
            raise RequestRefused(503, "too many clients follow the states of runs", retry_after=30)
        bounds = await self._feed.look()
        after = _after(position, bounds.forgotten, bounds.newest)
        check_kept(bounds, after)
        if request.method == "HEAD":
            return Response(headers=HEADERS, media_type=EVENTS.media_type)
        find_again = request.state.find_again
        changes = follow(self._feed, after, chosen, find_again, self._seconds)
        return EventStream(changes, self._limits.stream(request))


def _after(position: str | int, forgotten: int, newest: int) -> int:
    if isinstance(position, int):
        return position
    return forgotten if position == OLDEST else newest


def _gone(error: Forgotten) -> Response:
    return answer(RunStatesGoneAnswer(str(error), error.oldest, error.newest), 410)
