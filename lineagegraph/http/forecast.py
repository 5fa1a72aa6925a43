"""The route of the forecast."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import InvalidParameter
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.operations import ApiParameter, Reply, get, routes_of, tagged
from lineagegraph.http.plumbing.parameters import time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.settings import Settings
from lineagegraph.views.forecast import read_forecast

_AHEAD = timedelta(hours=12)
_FURTHEST = timedelta(days=31)


class ForeseenRunAnswer(AnswerStruct):
    """A run that a trigger will start."""

    at: Annotated[Timestamp, about("Time at which the trigger fires.")]
    job: Annotated[str, about("Full name of the job.")]
    namespace: Annotated[str, about("Namespace of the job.")]
    trigger: Annotated[str | None, about("Name of the trigger, or its id.")]
    reason: Annotated[str, about("Why it fires.")]
    ends_at: Annotated[Timestamp, about("Time at which the run usually would have ended.")]
    trouble: Annotated[str | None, about("Why it will be a dead letter; null if it can start.")]


class ForeseenStaleAnswer(AnswerStruct):
    """A job or dataset that will be stale."""

    node: Annotated[str, about("Id of the job or dataset.")]
    at: Annotated[Timestamp, about("Time from which it is stale.")]
    why: Annotated[str, about("The reason.")]


class ForecastAnswer(AnswerStruct):
    """What comes until a time."""

    until: Annotated[Timestamp, about("The end of the forecast.")]
    total: Annotated[int, about("How many runs triggers start; at most 1,000 of each count.")]
    dead: Annotated[int, about("How many of them will be dead letters.")]
    runs: Annotated[list[ForeseenRunAnswer], about("Runs that triggers start, earliest first.")]
    stale: Annotated[list[ForeseenStaleAnswer], about("What is stale at the end.")]


OPERATIONS = tagged(
    "triggers",
    get(
        "/api/v1/forecast",
        "getForecast",
        "The runs that triggers will start until a time, and what will be stale then.",
        Reply("At most a thousand runs, and a hundred of each trigger.", ForecastAnswer),
        ApiParameter(
            "until",
            Timestamp,
            "2026-03-03T06:00:00Z",
            "The end; 12 hours ahead by default.",
        ),
        description="The enabled rules are replayed forward: each run completes after its usual "
        "time, and nothing comes from outside. It needs the role `read` on all namespaces.",
    ),
)


def forecast_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {"getForecast": partial(_get, graph, settings.zone)}
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _get(graph: Graph, zone: str, request: Request) -> Response:
    require(caller_of(request), Role.READ, EVERYWHERE)
    now = datetime.now(UTC)
    until = time_of(request, "until") or now + _AHEAD
    if until > now + _FURTHEST:
        raise InvalidParameter(f"until: at most {_FURTHEST.days} days from now")
    found = read_forecast(graph, zone, until)
    runs = [answer_from(ForeseenRunAnswer, run) for run in found.runs]
    stale = [answer_from(ForeseenStaleAnswer, one) for one in found.stale]
    return answer(answer_from(ForecastAnswer, found, runs=runs, stale=stale))
