"""How much there was of what, an hour or a day at a time."""

from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.stats import Span, count_events, count_until, last_day, last_week
from lineagegraph.http.plumbing.parameters import one_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused

_STATS = "/api/v1/stats"
_PERIODS = {"day": False, "week": True}


def stats_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of statistics."""
    events = RawRoute(f"{_STATS}/lineage-events", partial(_events, reads), methods=["GET"])
    return [
        events,
        *(
            RawRoute(f"{_STATS}/{what}", partial(_totals, what, reads), methods=["GET"])
            for what in ("jobs", "datasets", "sources")
        ),
    ]


def _events(reads: Reads, request: Request) -> Response:
    spans = _spans(request)
    counts = count_events(reads.graph, spans)
    return answer(
        [
            _interval(span)
            | {
                "start": count.start,
                "complete": count.complete,
                "fail": count.fail,
                "abort": count.abort,
            }
            for span, count in zip(spans, counts, strict=True)
        ]
    )


def _totals(what: str, reads: Reads, request: Request) -> Response:
    spans = _spans(request)
    counts = count_until(reads.graph, what, spans)
    return answer([_interval(span) | {"count": n} for span, n in zip(spans, counts, strict=True)])


def _interval(span: Span) -> dict[str, datetime | int]:
    return {"startInterval": span.begin, "endInterval": span.end}


def _spans(request: Request) -> list[Span]:
    is_week = one_of(request, "period", _PERIODS)
    zone = _zone(request)
    now = datetime.now(UTC)
    if not is_week:
        return last_day(now)
    if zone is None:
        raise RequestRefused(400, "a week needs its time zone, as Europe/London", "timezone")
    return last_week(now, zone)


def _zone(request: Request) -> ZoneInfo | None:
    name = request.query_params.get("timezone")
    if not name:
        return None
    try:
        # A plus sign that was not percent-encoded arrives as a space: Etc/GMT+5.
        return ZoneInfo(name.replace(" ", "+"))
    except (KeyError, ValueError, OSError):
        raise RequestRefused(400, f"no time zone {name!r}", "timezone") from None
