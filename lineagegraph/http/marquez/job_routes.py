"""Lists of jobs, and all that is below the path of one job."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import one, pages
from lineagegraph.explore.pages import Partition
from lineagegraph.explore.resolve import resolve_job
from lineagegraph.http.marquez.addresses import READING, elsewhere
from lineagegraph.http.marquez.job_shapes import job_shape
from lineagegraph.http.marquez.parameters import job_uuid, read_cut
from lineagegraph.http.marquez.raw_route import RawRoute, path_text
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.http.marquez.run_shapes import run_shape
from lineagegraph.http.refusal import RequestRefused

_JOBS = "/api/v1/namespaces/{namespace}/jobs"
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ReadJob = Callable[[Reads, Request, str], Response]


def job_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of jobs."""
    below: dict[str, ReadJob] = {
        "": _job,
        "/runs": _runs,
        "/partitions": _partitions,
        "/children": partial(_related, "children"),
        "/descendants": partial(_related, "descendants"),
    }
    return [
        RawRoute("/api/v1/jobs", partial(_all_jobs, reads), methods=["GET"]),
        RawRoute(_JOBS, partial(_jobs_of_namespace, reads), methods=["GET"]),
        *(_job_route(reads, tail, read) for tail, read in below.items()),
    ]


def _job_route(reads: Reads, tail: str, read: ReadJob) -> RawRoute:
    """Return a route that answers under a job's address, and shows the way from its other names.

    Nothing is written here yet; a write is shown the way all the same.
    """

    def endpoint(request: Request) -> Response:
        namespace, name = path_text(request, "namespace"), path_text(request, "job")
        chosen = job_uuid(request)
        found = resolve_job(reads.graph, namespace, name, inherit=reads.inherit, key=chosen)
        if not found.is_exact:
            return elsewhere(request, tail, found)
        if request.method not in READING:
            raise RequestRefused(405, f"{request.method} is not for this path", headers=_ALLOWED)
        return read(reads, request, found.found[0].key)

    return RawRoute(f"{_JOBS}/{{job}}{tail}", endpoint, methods=list(_METHODS))


_ALLOWED = {"Allow": ", ".join(READING)}


def _all_jobs(reads: Reads, request: Request) -> Response:
    page = pages.page_jobs(reads.graph, None, reads.inherit, read_cut(request))
    return page_answer("jobs", page, job_shape)


def _jobs_of_namespace(reads: Reads, request: Request) -> Response:
    namespace = path_text(request, "namespace")
    page = pages.page_jobs(reads.graph, namespace, reads.inherit, read_cut(request))
    return page_answer("jobs", page, job_shape)


def _job(reads: Reads, request: Request, key: str) -> Response:
    return answer(job_shape(one.read_job_detail(reads.graph, key, reads.inherit)))


def _runs(reads: Reads, request: Request, key: str) -> Response:
    page = pages.page_runs(reads.graph, key, reads.inherit, read_cut(request))
    return page_answer("runs", page, run_shape)


def _partitions(reads: Reads, request: Request, key: str) -> Response:
    page = pages.page_partitions(reads.graph, key, reads.inherit, read_cut(request))
    return page_answer("partitions", page, _partition_shape)


def _partition_shape(partition: Partition) -> dict[str, Any]:
    run = run_shape(partition.run)
    text = msgspec.Raw(partition.text.encode())
    return {"partition": text, "state": run["state"], "latestRun": run}


def _related(relation: str, reads: Reads, request: Request, key: str) -> Response:
    cut = read_cut(request)
    page = pages.page_related_jobs(reads.graph, key, relation, reads.inherit, cut)
    return page_answer("jobs", page, job_shape)
