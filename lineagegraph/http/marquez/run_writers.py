"""Runs started and ended as Marquez's own writers do it."""

from datetime import UTC, datetime
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import one
from lineagegraph.http.access import caller_of
from lineagegraph.http.marquez.run_shapes import run_shape
from lineagegraph.http.marquez.writer_events import Take, run_event
from lineagegraph.http.plumbing.parameters import run_id, time_of
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.states import EventType

_MARKS = {
    "start": EventType.START,
    "complete": EventType.COMPLETE,
    "fail": EventType.FAIL,
    "abort": EventType.ABORT,
}


def run_writers(reads: Reads, take: Take) -> list[RawRoute]:
    """Return the routes that say how a run goes."""
    return [
        RawRoute(
            f"/api/v1/jobs/runs/{{id}}/{mark}", partial(_mark, reads, take, kind), methods=["POST"]
        )
        for mark, kind in _MARKS.items()
    ]


def _mark(reads: Reads, take: Take, kind: EventType, request: Request) -> Response:
    run = run_id(request)
    at = time_of(request, "at") or datetime.now(UTC)
    event = run_event(run, one.read_own_job(reads.graph, run), kind, at=at)
    take(caller_of(request), [event])
    return answer(run_shape(one.read_run_detail(reads.graph, run, reads.inherit)))
