"""Events read back, with the parameters that Marquez has."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.events import list_events
from lineagegraph.http.plumbing.parameters import one_of, read_cut, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads
from lineagegraph.model.canonical import canonical_json

_EVENTS = "/api/v1/events"
_NEWEST_FIRST = {"asc": False, "desc": True}


def event_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes that list events."""
    everywhere, within = partial(_events, reads), partial(_events_of_namespace, reads)
    return [
        RawRoute(f"{_EVENTS}/lineage", everywhere, methods=["GET"]),
        RawRoute(_EVENTS, everywhere, methods=["GET"]),
        RawRoute(f"{_EVENTS}/{{namespace}}", within, methods=["GET"]),
    ]


def _events_of_namespace(reads: Reads, request: Request) -> Response:
    return _events(reads, request, path_text(request, "namespace"))


def _events(reads: Reads, request: Request, namespace: str | None = None) -> Response:
    cut = read_cut(request)
    page = reads.graph.read(
        list_events,
        namespace=namespace,
        after=time_of(request, "after"),
        before=time_of(request, "before"),
        offset=cut.offset,
        limit=cut.limit,
        newest_first=one_of(request, "sortDirection", _NEWEST_FIRST, "desc"),
    )
    # An event may have integers of any size, which the quicker encoder does not know.
    body = canonical_json({"events": page.events, "totalCount": page.total})
    return Response(body, media_type="application/json")
