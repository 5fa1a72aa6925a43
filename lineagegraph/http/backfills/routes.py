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
from lineagegraph.http.backfills.answers import (
    BackfillAnswer,
    BackfillPartitionAnswer,
    BackfillPlanAnswer,
    backfill_answer,
    partition_answer,
    plan_answer,
)
from lineagegraph.http.backfills.bodies import BackfillSpanBody, BackfillStartBody
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    ApiParameter,
    Body,
    Name,
    Reply,
    error_reply,
    get,
    in_path,
    listing,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.model.names.keys import job_key
from lineagegraph.queries.triggers.backfills import (
    Backfill,
    page_backfills,
    page_partitions,
    read_backfill,
)
from lineagegraph.settings import Settings

_ALL = "/api/v1/backfills"
_ONE = f"{_ALL}/{{backfill}}"
_YES_NO = {"true": True, "false": False}
_ID = in_path("backfill", Name, "january", "The id of a backfill.")
_CONFLICT = error_reply(
    409, "BackfillConflict", "Another backfill has this id, or its state does not allow the change."
)
_CHANGED = Reply("The backfill.", BackfillAnswer)
OPERATIONS = tagged(
    "backfills",
    get(
        _ALL,
        "listBackfills",
        "Backfills, the newest first.",
        listing("backfills", BackfillAnswer, "Backfills."),
        ApiParameter("job", str, "daily", "Only those of this pipeline."),
        ApiParameter("namespace", str, "default", "The namespace of that pipeline."),
    ),
    post(
        _ALL,
        "startBackfill",
        "Start a backfill.",
        (
            Reply("It is started.", BackfillAnswer, 201),
            Reply("It exists already.", BackfillAnswer),
        ),
        body=Body(
            BackfillStartBody,
            {
                "job": "daily",
                "namespace": "default",
                "times": {
                    "first": "2026-01-01",
                    "last": "2026-01-31",
                    "step": "1d",
                    "zone": "Europe/Berlin",
                    "parameter": "day",
                },
                "values": {"limit": [5]},
                "which": "INCOMPLETE",
                "order": "NEWEST",
                "id": "winter",
                "concurrency": 2,
                "stopAfter": 3,
            },
        ),
        also=(NOT_FOUND, _CONFLICT),
    ),
    post(
        f"{_ALL}/preview",
        "previewBackfill",
        "The partitions that a backfill would run; nothing is stored.",
        Reply("The partitions.", BackfillPlanAnswer),
        body=Body(
            BackfillSpanBody,
            {
                "job": "daily",
                "namespace": "default",
                "rows": [
                    {"day": "2026-01-01", "region": "EU"},
                    {"day": "2026-01-02", "region": "US"},
                ],
            },
        ),
        also=(NOT_FOUND,),
    ),
    get(_ONE, "getBackfill", "A backfill.", Reply("The backfill.", BackfillAnswer), _ID),
    get(
        f"{_ONE}/partitions",
        "listBackfillPartitions",
        "The partitions of a backfill, each with its run.",
        listing("partitions", BackfillPartitionAnswer, "Partitions."),
        _ID,
        ApiParameter("state", list[str], ["UNSTARTED"], "Only those in one of these states."),
    ),
    post(
        f"{_ONE}/pause",
        "pauseBackfill",
        "Start no more of its runs; those in progress go on.",
        _CHANGED,
        _ID,
        also=(_CONFLICT,),
    ),
    post(
        f"{_ONE}/resume",
        "resumeBackfill",
        "Go on with a backfill; failures are counted from 0 again.",
        _CHANGED,
        _ID,
        also=(_CONFLICT,),
    ),
    post(
        f"{_ONE}/cancel",
        "cancelBackfill",
        "End a backfill: waiting partitions are given up, and queued runs are killed.",
        _CHANGED,
        _ID,
        ApiParameter("running", bool, True, "Kill its runs in progress, too.", default=False),
        also=(_CONFLICT,),
    ),
)


class _Served(NamedTuple):
    """The reads, the settings and the nudge that the routes share."""

    reads: Reads
    settings: Settings
    nudge: Callable[[], None]


def backfill_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when there may be runs to start or to end."""
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    served = _Served(reads, settings, nudge)
    endpoints = {
        "listBackfills": partial(_list, served),
        "startBackfill": partial(_start, served),
        "previewBackfill": partial(_preview, served),
        "getBackfill": partial(_get, reads),
        "listBackfillPartitions": partial(_partitions, reads),
        "pauseBackfill": partial(_pause, served),
        "resumeBackfill": partial(_resume, served),
        "cancelBackfill": partial(_cancel, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    job = request.query_params.get("job")
    namespace = request.query_params.get("namespace", served.settings.namespace)
    require(caller_of(request), Role.READ, namespace if job else EVERYWHERE)
    key = job_key(None, namespace, job) if job else None
    page = page_backfills(served.reads.graph, key, read_cut(request))
    return page_answer("backfills", page, backfill_answer)


def _get(reads: Reads, request: Request) -> Response:
    return answer(backfill_answer(_find(reads, request, Role.READ)))


def _partitions(reads: Reads, request: Request) -> Response:
    found = _find(reads, request, Role.READ)
    states = [state.upper() for state in request.query_params.getlist("state")] or None
    page = page_partitions(reads.graph, found.about.id, read_cut(request), states)
    return page_answer("partitions", page, partition_answer)


def _preview(served: _Served, request: Request) -> Response:
    said = body_of(request, BackfillSpanBody)
    key = _operated(served, request, said)
    plan = preview_backfill(served.reads.graph, key, said.span(served.settings.zone))
    return answer(plan_answer(plan))


def _start(served: _Served, request: Request) -> Response:
    said = body_of(request, BackfillStartBody)
    started = start_backfill(
        served.reads.graph,
        _operated(served, request, said),
        said.span(served.settings.zone),
        backfill_id=said.id,
        concurrency=said.concurrency,
        stop_after=said.stop_after,
    )
    served.nudge()
    return answer(
        backfill_answer(read_backfill(served.reads.graph, started.id)),
        201 if started.is_new else 200,
    )


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
    return answer(backfill_answer(read_backfill(served.reads.graph, found.about.id)))


def _find(reads: Reads, request: Request, role: Role) -> Backfill:
    found = read_backfill(reads.graph, path_name(request, "backfill"))
    require(caller_of(request), role, found.about.namespace)
    return found


def _operated(served: _Served, request: Request, said: BackfillSpanBody) -> str:
    """Return the key of the pipeline that a body names, if the caller may run it."""
    namespace = said.namespace or served.settings.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    return job_key(None, namespace, said.job)
