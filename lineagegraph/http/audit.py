"""The route of the audit log."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lineagegraph.admin.audit import AuditFilter, count_entries, export_entries, list_entries
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about, answer_from
from lineagegraph.http.plumbing.formats import LISTS, NDJSON, choose_format, to_ndjson
from lineagegraph.http.plumbing.operations import ApiParameter, get, listing, routes_of, tagged
from lineagegraph.http.plumbing.parameters import one_of, read_cut, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import page_answer
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.store.admin.audit import AuditEntry

_NEWEST_FIRST = {"asc": False, "desc": True}
_NULL = msgspec.Raw(b"null")
_State = Annotated[msgspec.Raw, about("JSON without secrets; of a large state its beginning.")]


class AuditEntryAnswer(AnswerStruct):
    """A change: who made it, when, and from where."""

    id: Uuid  # UUIDv7
    at: Timestamp  # the database's time
    actor: Annotated[str, about("As `token:ci`, `user:ann`, `cli:ann@host`, `daemon`, `loopback`.")]
    address: Annotated[str | None, about("IP address of the request's sender.")]
    action: Annotated[str, about("The kind of thing, a dot and a verb.")]
    thing: Annotated[str, about("The kind of thing.")]
    key: Annotated[str, about("Its key or id in the graph.")]
    name: Annotated[str, about("Its name at that time.")]
    job: Annotated[str | None, about("Full name of the job that it is about.")]
    namespace: Annotated[str | None, about("The namespace of that job, or of the dataset.")]
    before: _State
    after: _State


OPERATIONS = tagged(
    "server",
    get(
        "/api/v1/audit",
        "getAudit",
        "The audit log: who changed what, when and from where.",
        listing("entries", AuditEntryAnswer, "Entries, the newest first."),
        ApiParameter("since", Timestamp, "2026-03-01T00:00:00Z", "Only from this time on."),
        ApiParameter("until", Timestamp, "2026-03-03T00:00:00Z", "Only before this time."),
        ApiParameter("actor", str, "token:ci", "Only changes by this author."),
        ApiParameter("action", str, "schedule", "Only this action, or actions on such things."),
        ApiParameter(
            "thing", str, "daily", "Only about the thing or job of this name, or the thing's key."
        ),
        ApiParameter("sortDirection", Literal["asc", "desc"], "asc", default="desc"),
        description="As NDJSON and without `limit` and `offset`, all entries are answered, oldest "
        "first.",
    ),
)


def audit_routes(graph: Graph, limit: int) -> list[RawRoute]:
    """Return the routes."""
    return routes_of(OPERATIONS, {"getAudit": partial(_get, graph)}, limit)


def _get(graph: Graph, request: Request) -> Response:
    chosen = _chosen(request)
    is_part = bool(request.query_params.keys() & {"limit", "offset"})
    if not is_part and choose_format(request, LISTS) is NDJSON:
        return _export(graph, chosen)
    cut, newest = read_cut(request), one_of(request, "sortDirection", _NEWEST_FIRST, "desc")
    found = list_entries(graph, chosen, newest=newest, offset=cut.offset, limit=cut.limit)
    return page_answer("entries", Page(tuple(found), count_entries(graph, chosen)), _answer)


def _export(graph: Graph, chosen: AuditFilter) -> Response:
    parts = export_entries(graph, chosen)
    # Read now: an error still gets its status.
    first = next(parts, [])
    return StreamingResponse(
        _lines(chain([first], parts)), media_type=NDJSON.media_type, headers={"Vary": "Accept"}
    )


def _lines(parts: Iterator[list[AuditEntry]]) -> Iterator[bytes]:
    for part in parts:
        yield to_ndjson([_answer(one) for one in part])


def _chosen(request: Request) -> AuditFilter:
    asked = request.query_params
    return AuditFilter(
        since=time_of(request, "since"),
        until=time_of(request, "until"),
        actor=asked.get("actor"),
        action=asked.get("action"),
        about=asked.get("thing"),
    )


def _answer(one: AuditEntry) -> AuditEntryAnswer:
    return answer_from(AuditEntryAnswer, one, before=_json(one.before), after=_json(one.after))


def _json(text: str | None) -> msgspec.Raw:
    return _NULL if text is None else msgspec.Raw(text.encode())
