"""The routes of batches: submit one, show its tasks, and submit it again."""

from collections.abc import Callable
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.pipeline_runs.answers import StartedRunAnswer, answer_started
from lineagegraph.http.pipeline_runs.bodies import (
    IDEMPOTENCY_KEY,
    START_CONFLICT,
    RunStartBody,
    idempotency_key,
)
from lineagegraph.http.plumbing.answers import AnswerStruct, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Reply,
    get,
    in_path,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Role
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.freshness.freshness import Standing, read_standings
from lineagegraph.runs.queue import QueueRequest, last_request, pipeline_of, queue_run
from lineagegraph.settings import Settings
from lineagegraph.store.freshness.freshness import BatchTask, list_batch_tasks
from lineagegraph.store.jobs.details import Named
from lineagegraph.store.jobs.names import NamedJob


class BatchTaskAnswer(AnswerStruct):
    """A task of a batch, its freshness and its latest run."""

    name: Annotated[str, about("Name of the task.")]
    freshness: Annotated[FreshState | None, about("By its terms; null if it has none.")]
    age_seconds: Annotated[
        float | None, about("Seconds since its latest success; null without one.")
    ]
    outdated_by: Annotated[
        list[str], about("Parents whose newer success makes it run again, though it is fresh.")
    ]
    run_id: Annotated[str | None, about("Its latest run; null without one.")]
    state: Annotated[str | None, about("State of that run.")]
    reason: Annotated[str | None, about("Reason of that state, such as FRESH.")]
    message: Annotated[str | None, about("Explanation of that state, or its error.")]


class BatchDetailAnswer(AnswerStruct):
    """A batch with its tasks."""

    name: Annotated[str, about("Name of the batch.")]
    namespace: Annotated[str, about("Its namespace.")]
    tasks: Annotated[list[BatchTaskAnswer], about("Its tasks, in the order of the definition.")]


_ONE = "/api/v1/batches/{batch}"
_BATCH = in_path(
    "batch",
    Annotated[str, msgspec.Meta(min_length=1, max_length=2000)],
    "kpi_daily",
    "The name of a batch.",
)
_WHERE = ApiParameter(
    "namespace", str, "default", "Namespace of the batch; the server's default without it."
)
_STARTED_BEFORE = (
    Reply("The same request submitted it before.", StartedRunAnswer),
    START_CONFLICT,
)
OPERATIONS = tagged(
    "batches",
    get(
        _ONE,
        "getBatch",
        "A batch, the freshness of its tasks and their latest runs.",
        Reply("The batch.", BatchDetailAnswer),
        _BATCH,
        _WHERE,
    ),
    post(
        f"{_ONE}/submit",
        "submitBatch",
        "Submit a batch; fresh tasks are skipped.",
        Reply("It is queued.", StartedRunAnswer, 201),
        _BATCH,
        _WHERE,
        IDEMPOTENCY_KEY,
        body=Body(RunStartBody, {"tasks": ["kpi"], "force": True}, required=False),
        also=_STARTED_BEFORE,
    ),
    post(
        f"{_ONE}/restart",
        "restartBatch",
        "Submit a batch again with the parameters and tasks of its last run.",
        Reply("It is queued.", StartedRunAnswer, 201),
        _BATCH,
        _WHERE,
        IDEMPOTENCY_KEY,
        also=_STARTED_BEFORE,
    ),
)


class ServedBatches(NamedTuple):
    """Reads and submits batches; `nudge` is called when there is a run to start."""

    graph: Graph
    settings: Settings
    nudge: Callable[[], None]

    def get(self, request: Request) -> Response:
        """Answer a batch with its tasks."""
        found = self._find(request, Role.READ)
        tasks = self.graph.read(list_batch_tasks, job_key=found.key)
        standings = read_standings(self.graph, self.settings.zone, [task.key for task in tasks])
        known = {one.about.key: one for one in standings}
        rows = [_task(task, known.get(task.key)) for task in tasks]
        return answer(BatchDetailAnswer(name=found.fqn, namespace=found.namespace, tasks=rows))

    def submit(self, request: Request) -> Response:
        """Queue a run of a batch: 201, or 200 if the same request queued it before."""
        found, said = self._find(request, Role.OPERATE), body_of(request, RunStartBody)
        if said.version is not None or said.consume:
            field = "consume" if said.consume else "version"
            raise RequestRefused(400, f"{field} is not for batches: start the pipeline", field)
        asked = QueueRequest(
            job_key=found.key,
            fqn=found.fqn,
            params=said.params,
            only=said.tasks,
            options=said.options,
            key=idempotency_key(request),
        )
        return self._queue(found, asked)

    def restart(self, request: Request) -> Response:
        """Queue a run like the last one of a batch."""
        found = self._find(request, Role.OPERATE)
        asked, _ = last_request(self.graph, found.key, found.fqn)
        key = idempotency_key(request)
        key = f"restart {key}" if key else None
        return self._queue(found, replace(asked, key=key, is_restart=True))

    def _queue(self, found: NamedJob, asked: QueueRequest) -> Response:
        queued = queue_run(self.graph, asked)
        self.nudge()
        return answer_started(queued, Named(found.namespace, found.fqn))

    def _find(self, request: Request, role: Role) -> NamedJob:
        namespace = request.query_params.get("namespace") or self.settings.namespace
        require(caller_of(request), role, namespace)
        found = find_job(self.graph, path_name(request, "batch"), namespace)
        # A job may be below one of another namespace.
        require(caller_of(request), role, found.namespace)
        if not pipeline_of(self.graph, found.key, found.fqn).batch:
            raise NotFound(f"{found.fqn} is not a batch: it has no freshness terms")
        return found


def batch_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes."""
    served = ServedBatches(graph, settings, nudge)
    endpoints: dict[str, Callable[[Request], Response]] = {
        "getBatch": served.get,
        "submitBatch": served.submit,
        "restartBatch": served.restart,
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _task(task: BatchTask, standing: Standing | None) -> BatchTaskAnswer:
    return answer_from(
        BatchTaskAnswer,
        task,
        freshness=standing.state if standing else None,
        age_seconds=standing.judged.age if standing else None,
        outdated_by=standing.about.outdated_by if standing else [],
    )
