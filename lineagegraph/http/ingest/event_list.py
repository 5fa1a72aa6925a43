"""Events read back, with the parameters that Marquez has."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lineagegraph.explore.events import list_events
from lineagegraph.graph import Graph
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.http.times import time_of
from lineagegraph.model.canonical import canonical_json

_DIRECTIONS = ("asc", "desc")
_MOST = 10_000
_MOST_SKIPPED = 2**53


def event_list(graph: Graph) -> Route:
    """Return the route that lists events."""

    def get_events(request: Request) -> Response:
        direction = request.query_params.get("sortDirection", "desc").lower()
        if direction not in _DIRECTIONS:
            raise RequestRefused(400, "sortDirection is asc or desc", "sortDirection")
        page = graph.read(
            list_events,
            after=time_of(request, "after"),
            before=time_of(request, "before"),
            offset=_count(request, "offset", 0, _MOST_SKIPPED),
            limit=_count(request, "limit", 100, _MOST),
            newest_first=direction == "desc",
        )
        body = canonical_json({"events": page.events, "totalCount": page.total})
        return Response(body, media_type="application/json")

    return Route("/api/v1/events/lineage", get_events, methods=["GET"])


def _count(request: Request, name: str, default: int, most: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > most:
        raise RequestRefused(400, f"{name} is no whole number from 0 to {most}", name)
    return int(text)
