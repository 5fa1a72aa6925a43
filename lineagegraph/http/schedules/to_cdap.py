"""Rules in CDAP's shapes, or as their own JSON if CDAP has no shape for them."""

from collections.abc import Mapping
from typing import Any

import msgspec

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
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.triggers.trigger import Trigger
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
        case TimeRange():
            return TimeRangeShape(
                start_time=f"{constraint.start:%H:%M}",
                end_time=f"{constraint.end:%H:%M}",
                time_zone=constraint.zone,
                wait_until_met=waits,
            )
        case Delay() | Rate():
            return constraint


def _condition(condition: AnyCondition, namespace: str, programs: Programs) -> Any:
    match condition:
        case OnCron():
            return TimeShape(condition.cron, condition.zone)
        case OnDataset(within_seconds=None, where_=()):
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
