"""Schedules as answers, in CDAP's words."""

from collections.abc import Mapping, Sequence
from datetime import time
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.http.schedules.shapes import (
    CURRENT,
    AndShape,
    ConcurrencyShape,
    DatasetShape,
    DelayShape,
    LastRunShape,
    OrShape,
    PartitionShape,
    ProgramShape,
    StatusShape,
    TimeRangeShape,
    TimeShape,
)
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.triggers.condition import And, AnyCondition, OnCron, OnDataset, OnStatus, Or
from lineagegraph.model.triggers.constraint import (
    AnyConstraint,
    Concurrency,
    Delay,
    Gap,
    NotFailing,
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.queries.triggers.schedules import Schedule, watched_programs
from lineagegraph.store.triggers.schedules import Program

TYPES = {JobKind.PIPELINE: "WORKFLOW", JobKind.TASK: "SPARK"}
# The programs that there are, by namespace and name.
Programs = Mapping[tuple[str, str], Program]
_BESIDE = {"when", "name", "description", "properties", "constraints", "ttl"}


def trigger_shape(rule: Trigger, namespace: str, programs: Programs) -> Any:
    """Return a rule's trigger; a job is in `namespace` unless the condition says otherwise."""
    extra = {
        name: value for name, value in msgspec.to_builtins(rule).items() if name not in _BESIDE
    }
    if extra:
        return {"when": rule.when, **extra}
    return _condition(rule.when, namespace, programs)


def constraint_shape(constraint: AnyConstraint) -> Any:
    """Return a constraint."""
    waits = constraint.otherwise is Otherwise.WAIT
    match constraint:
        case Concurrency():
            return ConcurrencyShape(constraint.limit, waits)
        case Gap():
            return LastRunShape(round(constraint.seconds * 1000), waits)
        case Delay(since="satisfied"):
            return DelayShape(round(constraint.seconds * 1000), waits)
        case TimeRange(start=start, end=end) if all(map(_is_whole_minute, (start, end))):
            return TimeRangeShape(
                start_time=f"{start:%H:%M}",
                end_time=f"{end:%H:%M}",
                time_zone=constraint.zone,
                wait_until_met=waits,
            )
        # CDAP's times of day have no seconds.
        case TimeRange() | Delay() | Rate() | NotFailing():
            return constraint


def _is_whole_minute(at: time) -> bool:
    return not (at.second or at.microsecond)


def _condition(condition: AnyCondition, namespace: str, programs: Programs) -> Any:
    match condition:
        case OnCron():
            return TimeShape(condition.cron, condition.zone)
        case OnDataset(within_seconds=None, where_=(), quality=None):
            return PartitionShape(
                DatasetShape(condition.namespace, condition.name), condition.count
            )
        case OnStatus(within_seconds=None, where_=(), count=1):
            program = programs.get((condition.namespace or namespace, condition.job))
            return _status(condition, program) if program else condition
        case And(within_seconds=None) | Or(within_seconds=None):
            shape = AndShape if isinstance(condition, And) else OrShape
            return shape([_condition(one, namespace, programs) for one in condition.operands])
    return condition


def _status(condition: OnStatus, program: Program) -> StatusShape:
    return StatusShape(
        ProgramShape(
            namespace=program.namespace,
            application=program.application,
            version=condition.version or CURRENT,
            type=TYPES[JobKind(program.kind)],
            name=program.name,
        ),
        condition.statuses,
    )


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

    namespace: Annotated[str, about("Namespace of the pipeline that it starts.")]
    application: Annotated[str, about("Project that defines that pipeline; empty for none.")]
    name: Annotated[str, about("Name of the schedule.")]
    description: Annotated[str, about("Description for people; empty without one.")]
    program: Annotated[StartedProgramAnswer, about("Pipeline that it starts.")]
    properties: Annotated[dict[str, Any], about("Fixed parameters of the started run, by name.")]
    trigger: Annotated[_Shape, about("CDAP's trigger, or the condition if CDAP has none for it.")]
    constraints: Annotated[
        list[_Shape], about("CDAP's constraints, each as stated if CDAP has none for it.")
    ]
    status: Annotated[Status, about("SCHEDULED if it is enabled, SUSPENDED if not.")]
    last_update_time: Annotated[
        int, about("Milliseconds since 1970 at which it was made, enabled or suspended.")
    ]
    timeout_millis: Annotated[
        int | UnsetType, about("Milliseconds until a held start expires; absent for never.")
    ] = UNSET


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
