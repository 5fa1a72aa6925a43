"""One run, its facets, and the runs below it."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import one, pages
from lineagegraph.http.marquez.run_shapes import run_shape
from lineagegraph.http.plumbing.parameters import one_of, read_cut, run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer

_RUN = "/api/v1/jobs/runs/{id}"
_SCOPES = {"run": "run", "job": "job"}


def run_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of runs."""
    return [
        RawRoute(_RUN, partial(_run, reads), methods=["GET"]),
        RawRoute(f"{_RUN}/facets", partial(_facets, reads), methods=["GET"]),
        RawRoute(f"{_RUN}/children", partial(_related, "children", reads), methods=["GET"]),
        RawRoute(f"{_RUN}/descendants", partial(_related, "descendants", reads), methods=["GET"]),
    ]


def _run(reads: Reads, request: Request) -> Response:
    return answer(run_shape(one.read_run_detail(reads.graph, run_id(request), reads.inherit)))


def _facets(reads: Reads, request: Request) -> Response:
    run, scope = run_id(request), one_of(request, "type", _SCOPES)
    return answer({"runId": run, "facets": one.read_run_facets(reads.graph, run, scope)})


def _related(relation: str, reads: Reads, request: Request) -> Response:
    run, cut = run_id(request), read_cut(request)
    one.read_run_detail(reads.graph, run, reads.inherit)
    page = pages.page_related_runs(reads.graph, run, relation, reads.inherit, cut)
    return page_answer("runs", page, run_shape)
