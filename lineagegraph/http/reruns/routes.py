"""The route of reruns."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import RerunAsks, RerunRefused
from lineagegraph.graph import Graph
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.pipeline_runs.bodies import IDEMPOTENCY_KEY, idempotency_key
from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Reply,
    in_path,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.reruns.answers import (
    RerunAnswer,
    RerunChoicesAnswer,
    RerunPlanAnswer,
    RerunRefusalAnswer,
    plan_answer,
    rerun_answer,
)
from lineagegraph.model.access import Role
from lineagegraph.model.runs.rerun import Allow, RerunRequest
from lineagegraph.reruns.original import namespace_of
from lineagegraph.reruns.plan import choices, plan_rerun
from lineagegraph.reruns.start import start_rerun
from lineagegraph.settings import Settings

_YES_NO = {"true": True, "false": False}


class RerunBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The code, the changed parameters, and the tasks of a rerun."""

    policy: Annotated[
        str | None,
        about(
            "`as_was`, `latest`, `pinned:VERSION` or `ask`; else the policy of the pipeline or the "
            "installation."
        ),
    ] = None
    params: Annotated[
        dict[str, Any], about("Parameters that have another value than in the original.")
    ] = {}
    tasks: Annotated[tuple[str, ...], about("Only these tasks, by their paths.")] = ()
    from_task: Annotated[str | None, about("This task and all that follow it.")] = None
    from_failed: Annotated[
        bool, about("The tasks that did not complete, and all that follow them.")
    ] = False
    allow: Annotated[frozenset[Allow], about("Differences to accept with `as_was`.")] = frozenset()
    isolated: Annotated[bool, about("With the packages that it had, installed again.")] = False

    def request(self, run_id: str) -> RerunRequest:
        """Return the request to repeat a run."""
        return RerunRequest(run=run_id, **msgspec.structs.asdict(self))


OPERATIONS = tagged(
    "runs",
    post(
        "/api/v1/jobs/runs/{id}/rerun",
        "rerun",
        "Run a run of a pipeline again.",
        (
            Reply(
                "The rerun as it would be (`dryRun`); with `runId` and `number`, the one that "
                "the same request queued before.",
                RerunPlanAnswer,
            ),
            Reply("It is queued.", RerunAnswer, 201),
        ),
        in_path("id", UUID, "00000000-0000-7000-8000-00000000da11", "The run."),
        ApiParameter("dryRun", bool, True, "Only list the differences; nothing is stored."),
        IDEMPOTENCY_KEY,
        body=Body(
            RerunBody,
            {
                "policy": "latest",
                "params": {"day": "2026-01-31"},
                "allow": ["packages", "inputs"],
                "isolated": False,
                "fromFailed": False,
                "tasks": ["nothing"],
            },
            required=False,
        ),
        also=(
            Reply("The policy has to be chosen.", RerunChoicesAnswer, 409),
            Reply("The run cannot be repeated as asked.", RerunRefusalAnswer, 422),
        ),
    ),
)


class _Served(NamedTuple):
    """The reads, the settings and the nudge of the route."""

    reads: Reads
    settings: Settings
    nudge: Callable[[], None]


def rerun_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the route; `nudge` is called when there is a run to start."""
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    rerun = partial(_rerun, _Served(reads, settings, nudge))
    return routes_of(OPERATIONS, {"rerun": rerun}, settings.max_body_bytes)


def _rerun(served: _Served, request: Request) -> Response:
    run = run_id(request)
    graph = served.reads.graph
    require(caller_of(request), Role.OPERATE, namespace_of(graph, run))
    only_listed = one_of(request, "dryRun", _YES_NO, "false")
    asked = body_of(request, RerunBody).request(run)
    try:
        return _list(served, asked) if only_listed else _start(served, asked, request)
    except RerunAsks as asks:
        return _choose(served, asked, asks)
    except RerunRefused as refused:
        return answer(RerunRefusalAnswer(str(refused), list(refused.missing)), 422)


def _list(served: _Served, asked: RerunRequest) -> Response:
    return answer(plan_answer(plan_rerun(served.reads.graph, served.settings, asked)))


def _start(served: _Served, asked: RerunRequest, request: Request) -> Response:
    key = idempotency_key(request)
    started = start_rerun(served.reads.graph, served.settings, asked, key)
    served.nudge()
    return answer(rerun_answer(started), 201 if started.is_new else 200)


def _choose(served: _Served, asked: RerunRequest, asks: RerunAsks) -> Response:
    plans = choices(served.reads.graph, served.settings, asked)
    listed = [plan_answer(plan) for plan in plans]
    return answer(RerunChoicesAnswer(str(asks), asks.choices, listed), 409)
