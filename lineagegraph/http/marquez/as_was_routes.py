"""The routes of runs, and of pipelines at a time, as they were."""

from functools import partial
from typing import Literal
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.http.marquez.as_was_answers import AsWasAnswer, as_was_answer
from lineagegraph.http.marquez.job_route import job_operation, job_routes_of
from lineagegraph.http.marquez.paths import ONE_RUN, PIPELINE, RUN_ID
from lineagegraph.http.plumbing.answers import Timestamp
from lineagegraph.http.plumbing.formats import DOT, JSON, MERMAID, SVG, choose_format, formatted
from lineagegraph.http.plumbing.operations import (
    DRAWING_TYPES,
    ApiParameter,
    Reply,
    get,
    in_path,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import run_id, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.queries.versions.as_was import AsWas, read_as_was, read_job_as_was

_DRAWINGS = {DOT: to_dot, MERMAID: to_mermaid, SVG: to_svg}
_FORMAT = ApiParameter(
    "format",
    Literal["json", "dot", "mermaid", "svg"],
    "svg",
    "Instead of `Accept`, for clients that cannot set it: the last three draw the tasks.",
)
_RUNS = tagged(
    "runs",
    get(
        f"{ONE_RUN}/as-was",
        "getRunAsWas",
        "A run as it was, whatever its pipeline is today.",
        Reply(
            "The run: its tasks and how they went, its version, data and environment.",
            AsWasAnswer,
            texts=DRAWING_TYPES,
        ),
        in_path("id", UUID, "c6c66a91-0e8a-591d-a5c5-c497c114e70c", RUN_ID.about),
        _FORMAT,
    ),
)
_JOBS = tagged(
    "jobs",
    job_operation(
        get,
        "/as-was",
        "getJobAsWas",
        "A pipeline as it was at a time, by its version at that time.",
        Reply(
            "The pipeline: its tasks, parameters, settings and code.",
            AsWasAnswer,
            texts=DRAWING_TYPES,
        ),
        *PIPELINE,
        ApiParameter(
            "at", Timestamp, "2100-01-01T00:00:00Z", "The time of the view.", required=True
        ),
        _FORMAT,
    ),
)
OPERATIONS = (*_RUNS, *_JOBS)


def as_was_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    return [
        *routes_of(_RUNS, {"getRunAsWas": partial(_run, reads)}),
        *job_routes_of(reads, _JOBS, {"getJobAsWas": _job}),
    ]


def _run(reads: Reads, request: Request) -> Response:
    run = run_id(request)
    return _answer(request, read_as_was(reads.graph, run))


def _job(reads: Reads, request: Request, key: str) -> Response:
    at = time_of(request, "at")
    if at is None:
        raise RequestRefused(400, "at must be a time in ISO 8601", "at")
    return _answer(request, read_job_as_was(reads.graph, key, at))


def _answer(request: Request, found: AsWas) -> Response:
    chosen = choose_format(request, (JSON, *_DRAWINGS))
    if chosen in _DRAWINGS:
        return formatted(chosen, _DRAWINGS[chosen](draw_as_was(found)))
    return answer(as_was_answer(found))
