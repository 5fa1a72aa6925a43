"""Lists of jobs, and all that is below the path of one job."""

from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.curation.hide import hide_job
from lineagegraph.curation.tags import attach_tags, detach_tag
from lineagegraph.explore import one, pages
from lineagegraph.explore.pages import Partition
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.marquez.job_route import JOBS, AnswerJob, job_route
from lineagegraph.http.marquez.job_shapes import job_shape
from lineagegraph.http.marquez.job_writers import JobWriters
from lineagegraph.http.marquez.run_shapes import own_states, run_shape
from lineagegraph.http.marquez.version_routes import get_job_version, list_job_versions
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Role
from lineagegraph.scheduling.forget_job import forget_job, is_named


def job_routes(reads: Reads, writers: JobWriters) -> list[RawRoute]:
    """Return the routes of jobs."""
    below: dict[str, AnswerJob] = {
        "/versions": list_job_versions,
        "/versions/{version}": get_job_version,
        "/partitions": _partitions,
        "/children": partial(_related, "children"),
        "/descendants": partial(_related, "descendants"),
    }
    page: dict[str, AnswerJob] = {"GET": _job, "PUT": writers.put_job, "DELETE": _hide}
    tags = {"POST": _tag, "DELETE": _untag}
    return [
        RawRoute("/api/v1/jobs", partial(_all_jobs, reads), methods=["GET"]),
        RawRoute(JOBS, partial(_jobs_of_namespace, reads), methods=["GET"]),
        job_route(reads, "", page, writers.make_job),
        job_route(reads, "/runs", {"GET": _runs, "POST": writers.make_run}),
        *(job_route(reads, tail, {"GET": read}) for tail, read in below.items()),
        job_route(reads, "/tags/{tag}", tags),
    ]


def _all_jobs(reads: Reads, request: Request) -> Response:
    return _page(reads, request, None)


def _jobs_of_namespace(reads: Reads, request: Request) -> Response:
    return _page(reads, request, path_text(request, "namespace"))


def _page(reads: Reads, request: Request, namespace: str | None) -> Response:
    states, cut = _states(request), read_cut(request)
    if states:
        page = pages.page_jobs_in_states(reads.graph, namespace, states, reads.inherit, cut)
    else:
        page = pages.page_jobs(reads.graph, namespace, reads.inherit, cut)
    return page_answer("jobs", page, job_shape)


def _states(request: Request) -> list[str]:
    """Return the states that `lastRunStates` asks for, which may be there several times."""
    texts = ",".join(request.query_params.getlist("lastRunStates")).upper().split(",")
    asked = {text: own_states(text) for text in texts if text}
    if not all(asked.values()):
        known = "NEW, RUNNING, COMPLETED, FAILED and ABORTED"
        raise RequestRefused(400, f"lastRunStates are {known}", "lastRunStates")
    return [state for states in asked.values() for state in states]


def _job(reads: Reads, request: Request, key: str) -> Response:
    return answer(job_shape(one.read_job_detail(reads.graph, key, reads.inherit)))


def _hide(reads: Reads, request: Request, key: str) -> Response:
    answered = _job(reads, request, key)
    if reads.graph.read(is_named, key):
        # Whoever may only write must not end what others operate.
        require(caller_of(request), Role.OPERATE, path_text(request, "namespace"))
        reads.graph.write(forget_job, key)
    hide_job(reads.graph, key)
    return answered


def _tag(reads: Reads, request: Request, key: str) -> Response:
    attach_tags(reads.graph, key, [path_name(request, "tag")])
    return _job(reads, request, key)


def _untag(reads: Reads, request: Request, key: str) -> Response:
    detach_tag(reads.graph, key, path_text(request, "tag"))
    return _job(reads, request, key)


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
