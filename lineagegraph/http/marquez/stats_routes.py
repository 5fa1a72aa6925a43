"""The routes of statistics: counts by the hour or by the day."""

from datetime import UTC, datetime
from functools import partial
from typing import Literal
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.plumbing.answers import AnswerStruct, Count, Timestamp, answer_from
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Operation,
    Reply,
    get,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.names.zones import find_zone
from lineagegraph.queries.jobs.stats import (
    StatsSpan,
    count_events,
    count_until,
    last_day,
    last_week,
)

_PERIODS = {"day": False, "week": True}
_COUNTED = ("jobs", "datasets", "sources")


class EventCountAnswer(AnswerStruct):
    """Events by type in an hour or a day."""

    start_interval: Timestamp
    end_interval: Timestamp
    start: Count
    complete: Count
    fail: Count
    abort: Count


class TotalCountAnswer(AnswerStruct):
    """How many there were at the end of an hour or a day."""

    start_interval: Timestamp
    end_interval: Timestamp
    count: Count


def _operation(what: str, name: str, summary: str, kind: type[AnswerStruct]) -> Operation:
    return get(
        f"/api/v1/stats/{what}",
        name,
        summary,
        Reply("One for each hour or day, the oldest first.", list.__class_getitem__(kind)),
        ApiParameter(
            "period",
            Literal["DAY", "WEEK", "day", "week"],
            "DAY",
            "The last 24 hours by the hour, or the last seven days by the day.",
            required=True,
        ),
        ApiParameter("timezone", str, "Europe/London", "Where days begin; a week needs it."),
    )


def _total_name(what: str) -> str:
    return f"get{what.title()}Stats"


OPERATIONS = tagged(
    "stats",
    _operation("lineage-events", "getEventStats", "How many events there were.", EventCountAnswer),
    *(
        _operation(
            what,
            _total_name(what),
            f"How many {what} there were at the end of each hour or day.",
            TotalCountAnswer,
        )
        for what in _COUNTED
    ),
)


def stats_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "getEventStats": partial(_events, reads),
        **{_total_name(what): partial(_totals, what, reads) for what in _COUNTED},
    }
    return routes_of(OPERATIONS, endpoints)


def _events(reads: Reads, request: Request) -> Response:
    spans = _spans(request)
    counts = zip(spans, count_events(reads.graph, spans), strict=True)
    return answer(
        [
            answer_from(EventCountAnswer, count, start_interval=span.begin, end_interval=span.end)
            for span, count in counts
        ]
    )


def _totals(what: str, reads: Reads, request: Request) -> Response:
    spans = _spans(request)
    counts = zip(spans, count_until(reads.graph, what, spans), strict=True)
    return answer([TotalCountAnswer(span.begin, span.end, count) for span, count in counts])


def _spans(request: Request) -> list[StatsSpan]:
    is_week = one_of(request, "period", _PERIODS)
    zone = _zone(request)
    now = datetime.now(UTC)
    if not is_week:
        return last_day(now)
    if zone is None:
        raise RequestRefused(400, "period=WEEK needs a timezone, such as Europe/London", "timezone")
    return last_week(now, zone)


def _zone(request: Request) -> ZoneInfo | None:
    name = request.query_params.get("timezone")
    if not name:
        return None
    try:
        # A plus sign that was not percent-encoded arrives as a space: Etc/GMT+5.
        return find_zone(name.replace(" ", "+"))
    except ValueError:
        raise RequestRefused(400, f"unknown time zone {name!r}", "timezone") from None
