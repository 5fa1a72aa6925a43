"""Runs, and pipelines at a time, as they were."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import to_dot, to_mermaid, to_svg
from lineagegraph.explore.as_was import AsWas, read_as_was, read_job_as_was
from lineagegraph.explore.as_was_picture import draw_as_was
from lineagegraph.http.marquez.as_was_shapes import as_was_shape
from lineagegraph.http.marquez.job_route import job_route
from lineagegraph.http.plumbing.formats import DOT, JSON, MERMAID, SVG, choose_format, formatted
from lineagegraph.http.plumbing.parameters import run_id, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused

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
