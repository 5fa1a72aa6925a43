"""Parameters that take the scheduled time of a run."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.pipelines.upstream import Upstream
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Not,
    OnCron,
    OnInterval,
    Or,
    Sequence,
)
from lineagegraph.model.triggers.trigger import Trigger

_TIMES = ("date", "datetime")


def scheduled_values(pipeline: Pipeline, upstream: Iterable[Upstream]) -> dict[str, Any]:
    """Return the parameters that take the scheduled time: its day or the time, in its zone."""
    due = [one for one in upstream if one.status == "DUE" and one.chosen]
    if not due:
        return {}
    latest = max(due, key=lambda one: one.at)
    at = latest.at.astimezone(ZoneInfo(latest.zone or "UTC"))
    return {one.name: _value(one, at) for one in _filled(pipeline)}


def list_unfilled(pipeline: Pipeline) -> list[Parameter]:
    """Return the required parameters without a value if a time alone starts the pipeline."""
    required = [one for one in pipeline.parameters if one.required]
    filled = {one.name for one in _filled(pipeline)}
    missing = [
        {one.name for one in required} - filled - _given(rule)
        for rule in pipeline.triggers
        if _fires_by_time(rule.when)
    ]
    return [one for one in required if any(one.name in names for names in missing)]


def _filled(pipeline: Pipeline) -> list[Parameter]:
    """Return the dates and times of the partition, or else the only one that is required."""
    times = [one for one in pipeline.parameters if one.type in _TIMES]
    split = [one for one in times if one.name in pipeline.partition_by]
    required = [one for one in times if one.required]
    return split or (required if len(required) == 1 else [])


def _value(parameter: Parameter, at: datetime) -> str:
    return (at.date() if parameter.type == "date" else at).isoformat()


def _given(rule: Trigger) -> set[str]:
    defaults = {one.parameter for one in rule.arguments if one.default is not None}
    return {*rule.properties, *defaults}


def _fires_by_time(condition: AnyCondition) -> bool:
    """Return whether scheduled times alone make a condition true, without any payload."""
    match condition:
        case OnCron() | OnInterval() | Not():
            return True
        case And() | Sequence():
            return all(map(_fires_by_time, condition.operands))
        case Or():
            return any(map(_fires_by_time, condition.operands))
        case AtLeast():
            return sum(map(_fires_by_time, condition.operands)) >= condition.count
    return False
