"""Runs, and pipelines at a time, as they were."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.drawing.as_was import draw_as_was
from lineagegraph.drawing.dot import to_dot
from lineagegraph.drawing.mermaid import to_mermaid
from lineagegraph.drawing.svg import to_svg
from lineagegraph.http.marquez.as_was_shapes import as_was_shape
from lineagegraph.http.marquez.formats import DOT, JSON, MERMAID, SVG, choose_format, formatted
from lineagegraph.http.marquez.job_route import job_route
from lineagegraph.http.marquez.parameters import run_id
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer
from lineagegraph.http.refusal import RequestRefused
from lineagegraph.http.times import time_of
from lineagegraph.queries.versions.as_was import AsWas, read_as_was, read_job_as_was

_DRAWINGS = {DOT: to_dot, MERMAID: to_mermaid, SVG: to_svg}


def as_was_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of what was."""
    return [
        RawRoute("/api/v1/jobs/runs/{id}/as-was", partial(_run, reads), methods=["GET"]),
        job_route(reads, "/as-was", {"GET": _job}),
    ]


def _run(reads: Reads, request: Request) -> Response:
    run = run_id(request)
    return _answer(request, read_as_was(reads.graph, run))


def _job(reads: Reads, request: Request, key: str) -> Response:
    at = time_of(request, "at")
    if at is None:
        raise RequestRefused(400, "at is the time to look at, as ISO 8601", "at")
    return _answer(request, read_job_as_was(reads.graph, key, at))


def _answer(request: Request, found: AsWas) -> Response:
    chosen = choose_format(request, (JSON, *_DRAWINGS))
    if chosen in _DRAWINGS:
        return formatted(chosen, _DRAWINGS[chosen](draw_as_was(found)))
    return answer(as_was_shape(found))
