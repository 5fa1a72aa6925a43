"""The routes that start a pipeline, and those of one run: its status, and its end."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.access import caller_of, require, require_on_run
from lineagegraph.http.marquez.job_route import job_operation, job_routes_of, refused_methods
from lineagegraph.http.marquez.paths import ONE_RUN, PIPELINE
from lineagegraph.http.pipeline_runs import marks
from lineagegraph.http.pipeline_runs.answers import (
    RunStatusAnswer,
    StartedRunAnswer,
    answer_started,
    status_answer,
    status_path,
)
from lineagegraph.http.pipeline_runs.bodies import (
    IDEMPOTENCY_KEY,
    START_CONFLICT,
    RunStartBody,
    idempotency_key,
)
from lineagegraph.http.pipeline_runs.marks import mark_routes
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    Body,
    Header,
    Reply,
    error_reply,
    get,
    in_path,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Role
from lineagegraph.queries.jobs.one import read_job_detail, read_run_namespace
from lineagegraph.queries.runs.run_status import read_run_status
from lineagegraph.reruns.original import namespace_of
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.queue import QueuedRun, QueueRequest, find_queued, queue_run
from lineagegraph.runs.stored_version import VersionedJob, find_runnable
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.details import Named
from lineagegraph.store.triggers.triggers import list_starting

_PATIENCE_SECONDS = 5.0
_LOCATION = {"Location": Header({"type": "string"}, "The path of the run's status.")}
_RUN = in_path("id", UUID, "00000000-0000-7000-8000-0000000cae1d", "The id of a run.")
_STATUS = Reply("The run.", RunStatusAnswer)
_STARTS = tagged(
    "runs",
    job_operation(
        post,
        "/runs/start",
        "startRun",
        "Start a run of a pipeline.",
        Reply("It is queued.", StartedRunAnswer, 201, headers=_LOCATION),
        *PIPELINE,
        IDEMPOTENCY_KEY,
        body=Body(
            RunStartBody,
            {"params": {"day": "2026-01-31"}, "tasks": ["nothing"]},
            required=False,
        ),
        also=(
            Reply("The same request started it before.", StartedRunAnswer, headers=_LOCATION),
            START_CONFLICT,
        ),
    ),
)
_OF_RUNS = tagged(
    "runs",
    get(f"{ONE_RUN}/status", "getRunStatus", "The state of a run and of its tasks.", _STATUS, _RUN),
    post(
        f"{ONE_RUN}/cancel",
        "cancelRun",
        "Cancel a run.",
        _STATUS,
        _RUN,
        also=(error_reply(409, "CancelConflict", "The run is over, or runs elsewhere."),),
    ),
)
OPERATIONS = (*_STARTS, *_OF_RUNS, *marks.OPERATIONS, *refused_methods(_STARTS))


class PipelineRuns(NamedTuple):
    """Starts, reads and cancels runs; `nudge` is called when there is one to start or to end."""

    reads: Reads
    settings: Settings
    nudge: Callable[[], None]

    def start(self, reads: Reads, request: Request, key: str) -> Response:
        """Queue a run: 201, or 200 if the same request queued it before."""
        job = read_job_detail(reads.graph, key, reads.inherit)
        require(caller_of(request), Role.OPERATE, job.row.namespace)
        queued = self.queue(key, job.row.name, body_of(request, RunStartBody), request)
        answered = answer_started(queued, Named(job.namespace, job.row.name))
        answered.headers["Location"] = status_path(queued.run_id)
        return answered

    def queue(self, key: str, fqn: str, said: RunStartBody, request: Request) -> QueuedRun:
        """Queue a run of the pipeline of a key, as a request asks for it."""
        asked = self._asked(key, fqn, said, request)
        queued = find_queued(self.reads.graph, asked) or queue_run(
            self.reads.graph, self._with_version(asked)
        )
        self.nudge()
        return queued

    def repeated(
        self, key: str, fqn: str, said: RunStartBody, request: Request
    ) -> QueuedRun | None:
        """Return the run that the same request queued before; None for a new one."""
        return find_queued(self.reads.graph, self._asked(key, fqn, said, request))

    def _asked(self, key: str, fqn: str, said: RunStartBody, request: Request) -> QueueRequest:
        graph = self.reads.graph
        return QueueRequest(
            job_key=key,
            fqn=fqn,
            params=said.params,
            only=said.tasks,
            triggers=graph.read(list_starting, job_key=key) if said.consume else [],
            consume=said.consume,
            options=said.options,
            named_version=said.version,
            key=idempotency_key(request),
        )

    def _with_version(self, asked: QueueRequest) -> QueueRequest:
        if asked.named_version is None:
            return asked
        job = VersionedJob(asked.job_key, asked.fqn)
        tasks = tuple(asked.only)
        found = find_runnable(self.reads.graph, self.settings, job, asked.named_version, tasks)
        return replace(asked, version=found)

    def status(self, request: Request) -> Response:
        """Answer a run with its tasks."""
        run = run_id(request)
        namespace = read_run_namespace(self.reads.graph, run, self.reads.inherit)
        require_on_run(request, Role.READ, namespace)
        return self._answer(run, namespace)

    def cancel(self, request: Request) -> Response:
        """Cancel a run; 409 if it is not in progress here."""
        run = run_id(request)
        require_on_run(request, Role.OPERATE, namespace_of(self.reads.graph, run))
        if not self.end(run):
            raise RequestRefused(409, f"run {run} is not in progress here")
        return self._answer(run, read_run_namespace(self.reads.graph, run, self.reads.inherit))

    def end(self, run: str) -> bool:
        """Cancel a run; return False if it is not in progress here."""
        max_event_age, routes = self.settings.max_event_age, self.settings.notify
        graph = self.reads.graph
        is_ending = graph.write(cancel_run, run, max_event_age=max_event_age, routes=routes)
        self.nudge()
        return is_ending

    def _answer(self, run: str, namespace: str) -> Response:
        return answer(status_answer(read_run_status(self.reads.graph, run), namespace))


def pipeline_runs(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> PipelineRuns:
    """Return the endpoints of one graph; their clients wait for the answers."""
    patient = graph.with_patience(_PATIENCE_SECONDS)
    reads = Reads(patient, settings.inherit_namespace, settings.max_body_bytes)
    return PipelineRuns(reads, settings, nudge)


def pipeline_run_routes(
    graph: Graph, settings: Settings, nudge: Callable[[], None]
) -> list[RawRoute]:
    """Return the routes of one graph."""
    runs = pipeline_runs(graph, settings, nudge)
    endpoints = {"getRunStatus": runs.status, "cancelRun": runs.cancel}
    return [
        *job_routes_of(runs.reads, _STARTS, {"startRun": runs.start}),
        *routes_of(_OF_RUNS, endpoints),
        *mark_routes(runs.reads, settings),
    ]
