"""The route of trends: durations, rows and costs of a job's runs, with change points."""

from functools import partial
from typing import Annotated, get_args

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.plumbing.answers import AnswerStruct, Count, Timestamp, about, answer_from
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Name,
    Reply,
    get,
    in_path,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, path_name
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.model.access import Role
from lineagegraph.queries.analysis import Measure, read_trend_of
from lineagegraph.queries.find.find import find_node
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.names import NamedJob

_MEASURES: dict[str, Measure] = {name: name for name in get_args(Measure)}


class TrendPointAnswer(AnswerStruct):
    """A completed run with its number."""

    run: Annotated[str, about("Id of the run.")]
    at: Annotated[Timestamp, about("Time at which the run was created.")]
    value: Annotated[float, about("Seconds, or rows.")]
    usual: Annotated[float, about("Median of its level.")]
    off: Annotated[float, about("Distance from the median, in spreads of the level.")]
    is_outlier: Annotated[bool, about("Whether that is more than 3.5 spreads.")]


class TrendLevelAnswer(AnswerStruct):
    """Consecutive runs around one median."""

    since: Annotated[Timestamp, about("Time of its first run.")]
    runs: Annotated[Count, about("How many runs.")]
    middle: Annotated[float, about("Their median.")]
    spread: Annotated[float, about("Their spread, comparable to a standard deviation.")]


class ChangePointAnswer(AnswerStruct):
    """The first run of a new level."""

    run: Annotated[str, about("Id of the run.")]
    at: Annotated[Timestamp, about("Time of the run.")]
    before: Annotated[float, about("Median of the level before.")]
    after: Annotated[float, about("Median of the new level.")]
    factor: Annotated[float | None, about("`after` divided by `before`; null if that is zero.")]
    version: Annotated[
        str | None,
        about("Version of the job, or of its pipeline, that began there; null without a new one."),
    ]


class TrendAnswer(AnswerStruct):
    """A measure of a job's completed runs over time."""

    namespace: Annotated[str, about("Namespace of the job.")]
    job: Annotated[str, about("Full name of the job.")]
    measure: Annotated[Measure, about("The measure.")]
    points: Annotated[list[TrendPointAnswer], about("The runs, earliest first.")]
    levels: Annotated[list[TrendLevelAnswer], about("The levels, earliest first.")]
    changes: Annotated[list[ChangePointAnswer], about("Where a level ends and the next begins.")]


OPERATIONS = tagged(
    "jobs",
    get(
        "/api/v1/trends/{nodeId}",
        "getTrend",
        "A measure of a job's runs over time, with change points and outliers.",
        Reply("The 100 newest runs that completed and have the measure.", TrendAnswer),
        in_path(
            "nodeId",
            Name,
            "job:default:daily",
            "job:NAMESPACE:NAME, or a name that only one job has.",
        ),
        ApiParameter(
            "measure",
            Measure,
            "seconds",
            "Duration by default; rows written; or the time of Spark's executors or cores.",
        ),
    ),
)


def trend_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {"getTrend": partial(_get, graph)}
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _get(graph: Graph, request: Request) -> Response:
    job = find_node(graph, path_name(request, "nodeId"))
    require(caller_of(request), Role.READ, job.namespace)
    if not isinstance(job, NamedJob):
        raise NotFound(f"{job.name} is a dataset: only jobs have trends")
    measure = one_of(request, "measure", _MEASURES, "seconds")
    found = read_trend_of(graph, job, measure)
    return answer(
        answer_from(
            TrendAnswer,
            found,
            points=[answer_from(TrendPointAnswer, one) for one in found.points],
            levels=[answer_from(TrendLevelAnswer, one) for one in found.levels],
            changes=[answer_from(ChangePointAnswer, one) for one in found.changes],
        )
    )
