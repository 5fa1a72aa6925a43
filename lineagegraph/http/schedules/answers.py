"""Schedules as answers, in CDAP's words."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.schedules.to_cdap import Programs, constraint_shape, trigger_shape
from lineagegraph.queries.triggers.schedules import Schedule, watched_programs

Status = Literal["SCHEDULED", "SUSPENDED"]
SCHEDULED: Status = "SCHEDULED"
SUSPENDED: Status = "SUSPENDED"
# CDAP's shapes, and conditions and constraints that CDAP has no shape for.
_Shape = Annotated[Any, about(type="object")]


class StartedProgramAnswer(AnswerStruct):
    """The pipeline that a schedule starts."""

    program_name: str
    program_type: Literal["WORKFLOW"]


class ScheduleAnswer(AnswerStruct):
    """A schedule."""

    namespace: str
    application: str
    name: str
    description: str
    program: StartedProgramAnswer
    properties: dict[str, Any]
    trigger: _Shape
    constraints: list[_Shape]
    status: Status
    last_update_time: Annotated[
        int, about("Milliseconds since 1970 at which it was made, enabled or suspended.")
    ]
    timeout_millis: int | UnsetType = UNSET


class ScheduleStatusAnswer(AnswerStruct):
    """Whether a schedule is enabled."""

    status: Status


class EnabledSchedulesAnswer(AnswerStruct):
    """The schedules that were enabled."""

    enabled: list[str]


class ScheduledTimeAnswer(AnswerStruct):
    """A time at which a schedule starts its pipeline."""

    id: Annotated[str, about("The name of the schedule.")]
    time: Annotated[int, about("Milliseconds since 1970.")]


class ProgramTimesAnswer(AnswerStruct):
    """The times of one program of many; one that does not exist has a 404 of its own."""

    app_id: str
    program_type: str
    program_id: str
    status_code: Literal[200, 404]
    error: str | UnsetType = UNSET
    schedules: list[ScheduledTimeAnswer] | UnsetType = UNSET


def details(graph: Graph, found: Sequence[Schedule]) -> list[ScheduleAnswer]:
    """Return schedules as CDAP answers them."""
    programs = watched_programs(graph, found)
    return [_detail(schedule, programs) for schedule in found]


def status_of(schedule: Schedule) -> Status:
    """Return CDAP's word for whether a schedule is enabled."""
    return SCHEDULED if schedule.row.enabled else SUSPENDED


def _detail(schedule: Schedule, programs: Programs) -> ScheduleAnswer:
    row, rule = schedule
    return ScheduleAnswer(
        namespace=row.namespace,
        application=row.application,
        name=row.name,
        description=rule.description or "",
        program=StartedProgramAnswer(row.program, "WORKFLOW"),
        properties=rule.properties,
        trigger=trigger_shape(rule, row.namespace, programs),
        constraints=[constraint_shape(one) for one in rule.constraints],
        status=status_of(schedule),
        last_update_time=int(row.updated_at.timestamp() * 1000),
        timeout_millis=UNSET if rule.ttl is None else round(rule.ttl * 1000),
    )
