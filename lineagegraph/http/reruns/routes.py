"""The route of reruns."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lineagegraph.errors import RerunAsks, RerunRefused
from lineagegraph.graph import Graph
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import one_of, run_id
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer
from lineagegraph.http.reruns.bodies import RerunBody
from lineagegraph.http.reruns.shapes import plan_shape, rerun_shape
from lineagegraph.model.access import Role
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.original import namespace_of
from lineagegraph.reruns.plan import choices, plan_rerun
from lineagegraph.reruns.start import start_rerun
from lineagegraph.settings import Settings

_YES_NO = {"true": True, "false": False}


class _Served(NamedTuple):
    """What it needs."""

    reads: Reads
    settings: Settings
    nudge: Callable[[], None]


def rerun_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the route; `nudge` is called when there is a run to start."""
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    rerun = partial(_rerun, _Served(reads, settings, nudge))
    path = "/api/v1/jobs/runs/{id}/rerun"
    return [RawRoute(path, with_body(reads, rerun), methods=["POST"])]


def _rerun(served: _Served, request: Request) -> Response:
    run = run_id(request)
    graph = served.reads.graph
    require(caller_of(request), Role.OPERATE, namespace_of(graph, run))
    only_listed = one_of(request, "dryRun", _YES_NO, "false")
    asked = body_of(request, RerunBody).request(run)
    try:
        return _list(served, asked) if only_listed else _start(served, asked)
    except RerunAsks as asks:
        return _choose(served, asked, asks)
    except RerunRefused as refused:
        body: dict[str, Any] = {"error": str(refused), "missing": list(refused.missing)}
        return JSONResponse(body, 422)


def _list(served: _Served, asked: RerunRequest) -> Response:
    return answer(plan_shape(plan_rerun(served.reads.graph, served.settings, asked)))


def _start(served: _Served, asked: RerunRequest) -> Response:
    started = start_rerun(served.reads.graph, served.settings, asked)
    served.nudge()
    answered = answer(rerun_shape(started))
    answered.status_code = 201
    return answered


def _choose(served: _Served, asked: RerunRequest, asks: RerunAsks) -> Response:
    plans = choices(served.reads.graph, served.settings, asked)
    said = {"error": f"{asks}", "policies": asks.choices, "choices": [plan_shape(p) for p in plans]}
    answered = answer(said)
    answered.status_code = 409
    return answered
