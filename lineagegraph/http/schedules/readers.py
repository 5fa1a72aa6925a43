"""Schedules read: one, all of an application or program, and those that a program sets off."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import InvalidRule, NotFound
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.plumbing.parameters import one_of
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.schedules.answers import (
    SCHEDULED,
    SUSPENDED,
    ScheduleStatusAnswer,
    details,
    status_of,
)
from lineagegraph.http.schedules.places import application_of, place_of, program_of
from lineagegraph.model.access import Role
from lineagegraph.model.runs.states import FIRING
from lineagegraph.model.triggers.check_condition import check_status
from lineagegraph.model.triggers.condition import AnyCondition, tag_of
from lineagegraph.queries.triggers.schedules import (
    Schedule,
    as_schedule,
    list_in_application,
    list_set_off,
    list_starting,
)
from lineagegraph.triggers.schedules import KINDS, find_program, find_schedule

_STATUSES = {one.lower(): one for one in (SCHEDULED, SUSPENDED)}
# CDAP's names of conditions; all others go by their own.
_NAMES = {"cron": "time", "dataset": "partition", "status": "program-status"}
_OWN = "at-least", "sequence", "event", "interval", "fresh", "absent", "upstream", "sensor"
_TYPES = {name: name for name in (*_NAMES.values(), "and", "or", *_OWN)}


def get_one(reads: Reads, request: Request) -> Response:
    """Answer one schedule."""
    return answer(details(reads.graph, [_find(reads, request)])[0])


def get_status(reads: Reads, request: Request) -> Response:
    """Answer whether a schedule is enabled."""
    return answer(ScheduleStatusAnswer(status_of(_find(reads, request))))


def list_all(reads: Reads, request: Request) -> Response:
    """Answer the schedules of an application."""
    where = application_of(reads.graph, request)
    return _answer(reads, request, list_in_application(reads.graph, *where))


def list_of_program(reads: Reads, request: Request) -> Response:
    """Answer the schedules that start a pipeline."""
    return _answer(reads, request, list_starting(reads.graph, program_of(reads.graph, request).key))


def list_set_off_by(reads: Reads, request: Request) -> Response:
    """Answer the schedules that a program sets off, as far as the caller may read them."""
    caller = caller_of(request)
    namespace, application = _needed(request, "namespace-id"), _needed(request, "app-name")
    kind, name = _kind(request), _needed(request, "program-name")
    require(caller, Role.READ, namespace)
    try:
        program = reads.graph.read(find_program, namespace, application, name, kind)
    except NotFound:
        return answer([])
    found = list_set_off(reads.graph, program.key, _wanted_statuses(request))
    return _answer(
        reads, request, [one for one in found if caller.may(Role.READ, one.row.namespace)]
    )


def _find(reads: Reads, request: Request) -> Schedule:
    return as_schedule(reads.graph.read(find_schedule, place_of(reads.graph, request)))


def _answer(reads: Reads, request: Request, found: Sequence[Schedule]) -> Response:
    if "schedule-status" in request.query_params:
        status = one_of(request, "schedule-status", _STATUSES)
        found = [one for one in found if status_of(one) == status]
    if "trigger-type" in request.query_params:
        wanted = one_of(request, "trigger-type", _TYPES)
        found = [one for one in found if _type(one.rule.when) == wanted]
    return answer(details(reads.graph, found))


def _type(condition: AnyCondition) -> str:
    tag = tag_of(condition)
    return _NAMES.get(tag, tag.replace("_", "-"))


def _needed(request: Request, name: str) -> str:
    parameter = f"trigger-{name}"
    value = request.query_params.get(parameter)
    if not value:
        raise RequestRefused(400, f"{parameter} is missing", parameter)
    return value


def _kind(request: Request) -> str:
    """Return the kind of a program type; CDAP's paths have it in the plural."""
    said = _needed(request, "program-type").upper()
    if said.removesuffix("S") not in KINDS:
        raise RequestRefused(
            400, f"trigger-program-type must be one of {', '.join(KINDS)}", "trigger-program-type"
        )
    return KINDS[said.removesuffix("S")]


def _wanted_statuses(request: Request) -> list[str]:
    """Return the statuses asked for, with commas or by several parameters; all by default."""
    names = ("trigger-program-status", "trigger-program-statuses")
    said = [text for name in names for text in request.query_params.getlist(name)]
    wanted = [status.strip() for text in said for status in text.split(",")]
    try:
        return [check_status(status) for status in wanted] or list(FIRING)
    except InvalidRule as error:
        raise RequestRefused(400, f"{names[0]}: {error}", names[0]) from None
