"""The routes of jobs, their runs, partitions, relatives and tags."""

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.hide import hide_job
from lineagegraph.admin.namespaces import attach_tags, detach_tag
from lineagegraph.graph import Transaction
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.marquez.job_answers import (
    JobAnswer,
    PartitionAnswer,
    TouchedTriggerAnswer,
    job_answer,
)
from lineagegraph.http.marquez.job_route import AnswerJob, job_operation, job_routes_of
from lineagegraph.http.marquez.job_writers import JobWriters
from lineagegraph.http.marquez.paths import JOBS, NAMESPACE, TAG
from lineagegraph.http.marquez.run_answers import RunAnswer, State, read_states, run_answer
from lineagegraph.http.marquez.run_routes import RUNS
from lineagegraph.http.marquez.writer_bodies import JobBody, RunBody
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Header,
    Name,
    Reply,
    delete,
    error_reply,
    get,
    listing,
    post,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.access import Role
from lineagegraph.queries.jobs import one, pages
from lineagegraph.queries.jobs.pages import Partition
from lineagegraph.triggers.forget_job import TouchedRule, forget_job, is_named

_STATES = ApiParameter(
    "lastRunStates",
    list[State],
    ["FAILED", "COMPLETED"],
    "Only jobs whose latest run is in one of these states.",
)
_TAGGED = ApiParameter("tag", Name, "PII", "Only jobs with this tag.")
_OWNED = ApiParameter("owner", Name, "team:growth", "Only jobs whose facet `ownership` names it.")
_JOBS = listing("jobs", JobAnswer, "Jobs, and how many there are in all.")
_JOB = Reply("The job.", JobAnswer)
_LISTS = tagged(
    "jobs",
    get("/api/v1/jobs", "listJobs", "All jobs, by FQN.", _JOBS, _STATES, _TAGGED, _OWNED),
    get(
        JOBS,
        "listJobsOfNamespace",
        "The jobs that are served in a namespace, by FQN.",
        _JOBS,
        NAMESPACE,
        _STATES,
        _TAGGED,
        _OWNED,
    ),
)
_RUN_CREATED = Reply(
    "The run.",
    RunAnswer,
    201,
    headers={"Location": Header({"type": "string"}, "The path of the run.")},
)
_ONE = (
    *tagged(
        "jobs",
        job_operation(get, "", "getJob", "One job.", Reply("A job where it is served.", JobAnswer)),
        job_operation(
            delete,
            "",
            "deleteJob",
            "Hide a job, until an event names it.",
            Reply("The job as it was, with the triggers that it changed.", JobAnswer),
        ),
        job_operation(
            put,
            "",
            "putJob",
            "Create or change a job, as Marquez's clients did before OpenLineage.",
            _JOB,
            body=Body(
                JobBody,
                {
                    "type": "BATCH",
                    "inputs": [],
                    "outputs": [],
                    "location": "https://git.example.org/metrics/hourly.py",
                },
            ),
        ),
        job_operation(
            get,
            "/runs",
            "listRuns",
            "The runs of a job, the newest first.",
            RUNS,
            ApiParameter("state", list[State], ["FAILED"], "Only runs in one of these states."),
        ),
        job_operation(
            get,
            "/partitions",
            "listPartitions",
            "The partitions that a job ran for, each with the latest run for it.",
            listing("partitions", PartitionAnswer, "Partitions by name."),
        ),
        job_operation(
            get, "/children", "listChildJobs", "The jobs right below a job, by FQN.", _JOBS
        ),
        job_operation(
            get,
            "/descendants",
            "listDescendantJobs",
            "All jobs below a job: the nearer ones first, then by FQN.",
            _JOBS,
        ),
    ),
    *tagged(
        "runs",
        job_operation(
            post,
            "/runs",
            "postRun",
            "Create a run that is to start later, as Marquez's clients did before OpenLineage.",
            _RUN_CREATED,
            body=Body(
                RunBody,
                {
                    "nominalStartTime": "2026-03-02T10:00:00Z",
                    "nominalEndTime": "2026-03-02T11:00:00Z",
                    "args": {"region": "UK"},
                },
                required=False,
            ),
            also=(error_reply(409, "RunConflict", "A run with this id exists already."),),
        ),
    ),
    *tagged(
        "tags",
        job_operation(
            post,
            "/tags/{tag}",
            "postJobTag",
            "Attach a tag to a job; a missing tag is created.",
            _JOB,
            TAG,
        ),
        job_operation(delete, "/tags/{tag}", "deleteJobTag", "Take a tag off a job.", _JOB, TAG),
    ),
)
OPERATIONS = (*_LISTS, *_ONE)


def job_routes(reads: Reads, writers: JobWriters) -> list[RawRoute]:
    """Return the routes."""
    lists = {
        "listJobs": partial(_all_jobs, reads),
        "listJobsOfNamespace": partial(_jobs_of_namespace, reads),
    }
    answers: dict[str, AnswerJob] = {
        "getJob": _job,
        "deleteJob": _hide,
        "putJob": writers.put_job,
        "listRuns": _runs,
        "postRun": writers.make_run,
        "listPartitions": _partitions,
        "listChildJobs": partial(_related, "children"),
        "listDescendantJobs": partial(_related, "descendants"),
        "postJobTag": _tag,
        "deleteJobTag": _untag,
    }
    return [*routes_of(_LISTS, lists), *job_routes_of(reads, _ONE, answers, writers.make_job)]


def _all_jobs(reads: Reads, request: Request) -> Response:
    return _page(reads, request, None)


def _jobs_of_namespace(reads: Reads, request: Request) -> Response:
    return _page(reads, request, path_text(request, "namespace"))


def _page(reads: Reads, request: Request, namespace: str | None) -> Response:
    chosen = pages.JobFilter(
        namespace,
        read_states(request, "lastRunStates"),
        request.query_params.get("tag"),
        request.query_params.get("owner"),
    )
    page = pages.page_jobs(reads.graph, chosen, reads.inherit, read_cut(request))
    return page_answer("jobs", page, job_answer)


def _job(reads: Reads, request: Request, key: str) -> Response:
    return answer(job_answer(one.read_job_detail(reads.graph, key, reads.inherit)))


def _hide(reads: Reads, request: Request, key: str) -> Response:
    job = job_answer(one.read_job_detail(reads.graph, key, reads.inherit))

    def forget(tx: Transaction) -> list[TouchedRule]:
        touched: list[TouchedRule] = []
        if is_named(tx, key):
            # A token that may only write must not end jobs that others operate.
            require(caller_of(request), Role.OPERATE, path_text(request, "namespace"))
            touched = forget_job(tx, key)
        hide_job(tx, key)
        return touched

    if touched := reads.graph.write(forget):
        job.triggers = [TouchedTriggerAnswer(t.name, t.starts, t.change) for t in touched]
    return answer(job)


def _tag(reads: Reads, request: Request, key: str) -> Response:
    attach_tags(reads.graph, key, [path_name(request, "tag")])
    return _job(reads, request, key)


def _untag(reads: Reads, request: Request, key: str) -> Response:
    detach_tag(reads.graph, key, path_text(request, "tag"))
    return _job(reads, request, key)


def _runs(reads: Reads, request: Request, key: str) -> Response:
    states = read_states(request, "state")
    page = pages.page_runs(reads.graph, key, states, reads.inherit, read_cut(request))
    return page_answer("runs", page, run_answer)


def _partitions(reads: Reads, request: Request, key: str) -> Response:
    page = pages.page_partitions(reads.graph, key, reads.inherit, read_cut(request))
    return page_answer("partitions", page, _partition)


def _partition(partition: Partition) -> PartitionAnswer:
    run = run_answer(partition.run)
    return PartitionAnswer(msgspec.Raw(partition.text.encode()), run.state, run)


def _related(relation: str, reads: Reads, request: Request, key: str) -> Response:
    cut = read_cut(request)
    page = pages.page_related_jobs(reads.graph, key, relation, reads.inherit, cut)
    return page_answer("jobs", page, job_answer)
