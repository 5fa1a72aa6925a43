"""The routes that give events back, with the parameters that Marquez has."""

from functools import partial
from typing import Any, Literal
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.paths import NAMESPACE, RUN_ID
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp
from lineagegraph.http.plumbing.operations import (
    LIMIT,
    OFFSET,
    ApiParameter,
    Operation,
    Reply,
    get,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, query_uuid, read_cut, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.queries.runs.events import list_events

_EVENTS = "/api/v1/events"
_NEWEST_FIRST = {"asc": False, "desc": True}


class EventPageAnswer(AnswerStruct):
    """A page of events, and how many there are in all."""

    events: list[dict[str, Any]]
    total_count: int


def _operation(tail: str, name: str, summary: str, *parameters: ApiParameter) -> Operation:
    return get(
        f"{_EVENTS}{tail}",
        name,
        summary,
        Reply("A page of events, and how many there are.", EventPageAnswer),
        *parameters,
        LIMIT,
        OFFSET,
        may_miss=False,
    )


def _chosen(before: str, after: str, direction: str) -> tuple[ApiParameter, ...]:
    return (
        ApiParameter("before", Timestamp, before, "Only events before this time."),
        ApiParameter("after", Timestamp, after, "Only events from this time on."),
        ApiParameter("sortDirection", Literal["asc", "desc"], direction, default="desc"),
    )


_IN_MARCH = _chosen("2026-03-03T00:00:00Z", "2026-03-01T00:00:00Z", "desc")
_OF_RUN = ApiParameter("runId", UUID, RUN_ID.example, "Only events of this run.")
OPERATIONS = tagged(
    "events",
    _operation(
        "/lineage",
        "getEvents",
        "Events as they were sent.",
        *_chosen("2026-10-25T16:10:00Z", "2026-10-25T15:30:00Z", "asc"),
        _OF_RUN,
    ),
    _operation("", "getAllEvents", "Events as they were sent, newest first.", *_IN_MARCH, _OF_RUN),
    _operation(
        "/{namespace}",
        "getEventsOfNamespace",
        "Events whose job or data is in a namespace, as they were sent.",
        NAMESPACE,
        *_IN_MARCH,
    ),
)


def event_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    everywhere = partial(_events, reads)
    endpoints = {
        "getEvents": everywhere,
        "getAllEvents": everywhere,
        "getEventsOfNamespace": partial(_events_of_namespace, reads),
    }
    return routes_of(OPERATIONS, endpoints)


def _events_of_namespace(reads: Reads, request: Request) -> Response:
    return _events(reads, request, path_text(request, "namespace"))


def _events(reads: Reads, request: Request, namespace: str | None = None) -> Response:
    cut = read_cut(request)
    run = str(query_uuid(request, "runId")) if request.query_params.get("runId") else None
    page = reads.graph.read(
        list_events,
        namespace=namespace,
        after=time_of(request, "after"),
        before=time_of(request, "before"),
        offset=cut.offset,
        limit=cut.limit,
        newest_first=one_of(request, "sortDirection", _NEWEST_FIRST, "desc"),
        run=run,
    )
    # An event may have integers of any size, which the quicker encoder does not know.
    body = canonical_json({"events": page.events, "totalCount": page.total})
    return Response(body, media_type="application/json")
