"""The routes by which people mark and annotate runs, and acknowledge failures."""

from functools import partial
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.access import caller_of, require
from lineagegraph.http.access.caller import signature_of
from lineagegraph.http.marquez.paths import ONE_RUN
from lineagegraph.http.pipeline_runs.answers import RunStatusAnswer, status_answer
from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    Body,
    Reply,
    error_reply,
    in_path,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import run_id
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.model.access import Role
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.jobs.one import read_run_namespace
from lineagegraph.queries.runs.run_status import read_run_status
from lineagegraph.reruns.original import namespace_of
from lineagegraph.runs.acknowledge import acknowledge_run
from lineagegraph.runs.annotate import annotate_run
from lineagegraph.runs.mark import mark_run, unmark_run
from lineagegraph.settings import Settings

_RUN = in_path(
    "id", UUID, "00000000-0000-7000-8000-0000000cae1d", "The id of a run or of a task's run."
)
_STATUS = Reply("The run as it is now.", RunStatusAnswer)


class RunMarkBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The state to give a run, and why."""

    state: Annotated[
        Literal["COMPLETED", "FAILED"], about("State that the run has until the mark is removed.")
    ]
    reason: Annotated[str, about("Reason, shown with the run.", minLength=1, maxLength=2000)]
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None


class AcknowledgeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A note about a failure."""

    note: Annotated[str | None, about("Note for others.", maxLength=2000)] = None
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None


class AnnotateBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A note about a run."""

    note: Annotated[str, about("The note, shown with the run.", minLength=1, maxLength=2000)]
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None


OPERATIONS = tagged(
    "runs",
    post(
        f"{ONE_RUN}/mark",
        "markRun",
        "Mark a run or task that has ended as succeeded or failed.",
        _STATUS,
        _RUN,
        body=Body(RunMarkBody, {"state": "COMPLETED", "reason": "loaded by hand"}),
        also=(error_reply(409, "MarkConflict", "The run goes on, or has that state."),),
    ),
    post(
        f"{ONE_RUN}/unmark",
        "unmarkRun",
        "Take the mark of a run back.",
        _STATUS,
        _RUN,
        also=(error_reply(409, "UnmarkConflict", "The run is not marked."),),
    ),
    post(
        f"{ONE_RUN}/acknowledge",
        "acknowledgeRun",
        "Acknowledge the failure of a run.",
        _STATUS,
        _RUN,
        body=Body(AcknowledgeBody, {"note": "the vendor was asked"}, required=False),
        also=(error_reply(409, "AcknowledgeConflict", "The run did not fail."),),
    ),
    post(
        f"{ONE_RUN}/annotate",
        "annotateRun",
        "Add a note to a run in any state; earlier notes stay.",
        _STATUS,
        _RUN,
        body=Body(AnnotateBody, {"note": "the file came twice"}),
        also=(error_reply(409, "AnnotateConflict", "The note is no line of text."),),
    ),
)


def mark_routes(reads: Reads, settings: Settings) -> list[RawRoute]:
    """Return the routes of one graph."""
    endpoints = {
        "markRun": partial(_mark, reads, settings),
        "unmarkRun": partial(_unmark, reads, settings),
        "acknowledgeRun": partial(_acknowledge, reads),
        "annotateRun": partial(_annotate, reads),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _mark(reads: Reads, settings: Settings, request: Request) -> Response:
    run, said = _operated(reads, request), body_of(request, RunMarkBody)
    mark_run(
        reads.graph,
        run,
        RunState(said.state),
        said.reason,
        author=_author(request, said.author),
        max_event_age=settings.max_event_age,
        routes=settings.notify,
    )
    return _answer(reads, run)


def _unmark(reads: Reads, settings: Settings, request: Request) -> Response:
    run = _operated(reads, request)
    unmark_run(reads.graph, run, max_event_age=settings.max_event_age, routes=settings.notify)
    return _answer(reads, run)


def _acknowledge(reads: Reads, request: Request) -> Response:
    run, said = _operated(reads, request), body_of(request, AcknowledgeBody)
    acknowledge_run(reads.graph, run, said.note, author=_author(request, said.author))
    return _answer(reads, run)


def _annotate(reads: Reads, request: Request) -> Response:
    run, said = _operated(reads, request), body_of(request, AnnotateBody)
    annotate_run(reads.graph, run, said.note, author=_author(request, said.author))
    return _answer(reads, run)


def _author(request: Request, said: str | None) -> str:
    """Return who asked, and for whom."""
    who = signature_of(request)
    return f"{said} by {who}" if said else who


def _operated(reads: Reads, request: Request) -> str:
    """Return the run of a request that may operate it."""
    run = run_id(request)
    require(caller_of(request), Role.OPERATE, namespace_of(reads.graph, run))
    return run


def _answer(reads: Reads, run: str) -> Response:
    namespace = read_run_namespace(reads.graph, run, reads.inherit)
    return answer(status_answer(read_run_status(reads.graph, run), namespace))
