"""What a request says about a schedule."""

from typing import Annotated, Any

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.http.schedules.from_cdap import Json, Scheduled, constraint_of, rule_of


class ProgramBody(msgspec.Struct, rename="camel"):
    """The program that a schedule starts."""

    program_name: str | None = None
    program_type: str | None = None


class ScheduleBody(msgspec.Struct, rename="camel", kw_only=True):
    """A schedule, or the members of it that are to change."""

    name: str | None = None
    description: str | None = None
    program: ProgramBody | None = None
    properties: dict[str, Any] | None = None
    constraints: list[Json] | None = None
    trigger: Json | None = None
    timeout_millis: Annotated[int, msgspec.Meta(ge=1)] | None = None


def check_name(body: ScheduleBody, name: str) -> None:
    """Raise `InvalidRule` where a body is about another schedule than the path."""
    if body.name not in (None, name):
        raise InvalidRule(f"$.name: {body.name!r} is not the name in the path, {name!r}")


def started_program(body: ScheduleBody) -> str:
    """Return the name of the pipeline to start; raise `InvalidRule` where none is said."""
    if body.program is None or not body.program.program_name:
        raise InvalidRule("$.program.programName: say which program the schedule starts")
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
