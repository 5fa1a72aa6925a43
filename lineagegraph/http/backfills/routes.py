"""The routes of backfills."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.backfills.change import cancel_backfill, pause_backfill, resume_backfill
from lineagegraph.backfills.start import preview_backfill, start_backfill
from lineagegraph.graph import Graph
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.backfills.bodies import SpanBody, StartBody
from lineagegraph.http.backfills.shapes import backfill_shape, partition_shape, plan_shape
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import one_of, path_name, read_cut
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.model.names.keys import job_key
from lineagegraph.queries.triggers.backfills import (
    Backfill,
    page_backfills,
    page_partitions,
    read_backfill,
)
from lineagegraph.settings import Settings

_PATH = "/api/v1/backfills"
_ONE = f"{_PATH}/{{backfill}}"
_YES_NO = {"true": True, "false": False}


class _Served(NamedTuple):
    """What all of them need."""

    reads: Reads
    settings: Settings
    nudge: Callable[[], None]


def backfill_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when there may be runs to start or to end."""
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    served = _Served(reads, settings, nudge)
    return [
        RawRoute(_PATH, partial(_list, served), methods=["GET"]),
        RawRoute(_PATH, with_body(reads, partial(_start, served)), methods=["POST"]),
        RawRoute(f"{_PATH}/preview", with_body(reads, partial(_preview, served)), methods=["POST"]),
        RawRoute(_ONE, partial(_get, reads), methods=["GET"]),
        RawRoute(f"{_ONE}/partitions", partial(_partitions, reads), methods=["GET"]),
        RawRoute(f"{_ONE}/pause", partial(_pause, served), methods=["POST"]),
        RawRoute(f"{_ONE}/resume", partial(_resume, served), methods=["POST"]),
        RawRoute(f"{_ONE}/cancel", partial(_cancel, served), methods=["POST"]),
    ]


def _list(served: _Served, request: Request) -> Response:
    job = request.query_params.get("job")
    namespace = request.query_params.get("namespace", served.settings.namespace)
    require(caller_of(request), Role.READ, namespace if job else EVERYWHERE)
    key = job_key(None, namespace, job) if job else None
    page = page_backfills(served.reads.graph, key, read_cut(request))
    return page_answer("backfills", page, backfill_shape)


def _get(reads: Reads, request: Request) -> Response:
    return answer(backfill_shape(_find(reads, request, Role.READ)))


def _partitions(reads: Reads, request: Request) -> Response:
    found = _find(reads, request, Role.READ)
    states = [state.upper() for state in request.query_params.getlist("state")] or None
    page = page_partitions(reads.graph, found.about.id, read_cut(request), states)
    return page_answer("partitions", page, partition_shape)


def _preview(served: _Served, request: Request) -> Response:
    said = body_of(request, SpanBody)
    key = _operated(served, request, said)
    plan = preview_backfill(served.reads.graph, key, said.span(served.settings.zone))
    return answer(plan_shape(plan))


def _start(served: _Served, request: Request) -> Response:
    said = body_of(request, StartBody)
    started = start_backfill(
        served.reads.graph,
        _operated(served, request, said),
        said.span(served.settings.zone),
        backfill_id=said.id,
        concurrency=said.concurrency,
        stop_after=said.stop_after,
    )
    served.nudge()
    answered = answer(backfill_shape(read_backfill(served.reads.graph, started.id)))
    answered.status_code = 201 if started.is_new else 200
    return answered


def _pause(served: _Served, request: Request) -> Response:
    return _change(served, request, pause_backfill)


def _resume(served: _Served, request: Request) -> Response:
    return _change(served, request, resume_backfill)


def _cancel(served: _Served, request: Request) -> Response:
    running = one_of(request, "running", _YES_NO, "false")
    return _change(served, request, partial(cancel_backfill, running=running))


def _change(served: _Served, request: Request, change: Callable[..., None]) -> Response:
    found = _find(served.reads, request, Role.OPERATE)
    change(served.reads.graph, found.about.id)
    served.nudge()
    return answer(backfill_shape(read_backfill(served.reads.graph, found.about.id)))


def _find(reads: Reads, request: Request, role: Role) -> Backfill:
    found = read_backfill(reads.graph, path_name(request, "backfill"))
    require(caller_of(request), role, found.about.namespace)
    return found


def _operated(served: _Served, request: Request, said: SpanBody) -> str:
    """Return the key of the pipeline that a body names, if the caller may run it."""
    namespace = said.namespace or served.settings.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    return job_key(None, namespace, said.job)
