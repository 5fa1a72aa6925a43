"""The bodies of requests for schedules."""

from typing import Annotated, Any

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.schedules.from_cdap import Json, Scheduled, constraint_of, rule_of


class StartedProgramBody(msgspec.Struct, rename="camel"):
    """The program that a schedule starts."""

    program_name: Annotated[str | None, about("The FQN of a pipeline.")] = None
    program_type: Annotated[str | None, about("`WORKFLOW`.")] = None


class ScheduleBody(msgspec.Struct, rename="camel", kw_only=True):
    """A schedule, or the members of it that are to change.

    A trigger is CDAP's (`type`), a condition (`on`) or a whole rule (`when`); a constraint is
    CDAP's (`type`) or a rule's (`kind`).
    """

    name: Annotated[str | None, about("That in the path.")] = None
    description: str | None = None
    program: StartedProgramBody | None = None
    properties: Annotated[
        dict[str, Any] | None, about("Parameters of the runs that are started.")
    ] = None
    constraints: list[Json] | None = None
    trigger: Json | None = None
    timeout_millis: Annotated[
        Annotated[int, msgspec.Meta(ge=1)] | None,
        about("How long constraints may hold a firing back before it expires."),
    ] = None


class BatchProgramBody(msgspec.Struct, rename="camel"):
    """A program whose times are asked for."""

    app_id: str
    program_type: str
    program_id: str


# More than this is not asked for by hand.
BatchProgramsBody = Annotated[list[BatchProgramBody], msgspec.Meta(max_length=1000)]


def check_name(body: ScheduleBody, name: str) -> None:
    """Raise `InvalidRule` if body and path name different schedules."""
    if body.name not in (None, name):
        raise InvalidRule(f"$.name: {body.name!r} is not the name in the path, {name!r}")


def started_program(body: ScheduleBody) -> str:
    """Return the name of the pipeline to start; raise `InvalidRule` if none is given."""
    if body.program is None or not body.program.program_name:
        raise InvalidRule("$.program.programName: name the program that the schedule starts")
    check_type(body)
    return body.program.program_name


def check_type(body: ScheduleBody) -> None:
    """Raise `InvalidRule` for a program that no schedule starts."""
    kind = (body.program and body.program.program_type) or "WORKFLOW"
    if kind.upper() != "WORKFLOW":
        raise InvalidRule(
            f"$.program.programType: {kind!r} cannot be scheduled, only WORKFLOW, which is a "
            "pipeline; a task starts within one"
        )


def said_members(body: ScheduleBody, scheduled: Scheduled) -> Json:
    """Return the members of a rule that a body has."""
    said = {
        "description": body.description,
        "properties": body.properties,
        "constraints": _constraints(body, scheduled),
        "ttl": None if body.timeout_millis is None else body.timeout_millis / 1000,
    }
    given = {name: value for name, value in said.items() if value is not None}
    return (rule_of(body.trigger, scheduled) if body.trigger is not None else {}) | given


def _constraints(body: ScheduleBody, scheduled: Scheduled) -> list[Json] | None:
    if body.constraints is None:
        return None
    return [
        constraint_of(one, scheduled, f"$.constraints[{place}]")
        for place, one in enumerate(body.constraints)
    ]
