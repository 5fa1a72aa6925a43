"""Triggers and constraints in CDAP's shapes, as the JSON that rules have here.

Other shapes (`on` in a condition, `when` in a rule, `kind` in a constraint) are such JSON
already, at any depth.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.http.schedules.shapes import (
    CONSTRAINTS,
    CURRENT,
    TRIGGERS,
    AndShape,
    ConcurrencyShape,
    DelayShape,
    LastRunShape,
    OrShape,
    PartitionShape,
    StatusShape,
    TimeRangeShape,
    TimeShape,
)
from lineagegraph.model.typed import convert_value

Json = dict[str, Any]
_DEEPEST = 64


class Scheduled(NamedTuple):
    """The program that a schedule starts: it fills in omitted names of a trigger."""

    namespace: str
    application: str
    zone: str


def rule_of(trigger: Json, scheduled: Scheduled) -> Json:
    """Return the members of a rule that a trigger stands for."""
    if "when" in trigger:
        return dict(trigger)
    return {"when": _condition(trigger, scheduled, "$.trigger", 0)}


def constraint_of(constraint: Json, scheduled: Scheduled, path: str) -> Json:
    """Return a constraint."""
    if "kind" in constraint:
        return constraint
    match _read(constraint, CONSTRAINTS, path):
        case ConcurrencyShape() as said:
            return _kept("concurrency", said.wait_until_met, limit=said.max_concurrency)
        case LastRunShape() as said:
            return _kept("gap", said.wait_until_met, seconds=said.millis_since_last_run / 1000)
        case DelayShape() as said:
            return _kept("delay", said.wait_until_met, seconds=said.millis_after_trigger / 1000)
        case TimeRangeShape() as said:
            times = {"start": _clock(said.start_time), "end": _clock(said.end_time)}
            zone = said.time_zone or scheduled.zone
            return _kept("time_range", said.wait_until_met, zone=zone, **times)
    raise AssertionError(constraint)


def _condition(trigger: Any, scheduled: Scheduled, path: str, depth: int) -> Json:
    if not isinstance(trigger, dict):
        raise InvalidRule(f"{path}: expected an object, got {type(trigger).__name__}")
    if depth > _DEEPEST:
        raise InvalidRule(f"{path}: conditions are nested more than {_DEEPEST} deep")
    if "on" in trigger:
        return trigger
    match _read(trigger, TRIGGERS, path):
        case TimeShape() as said:
            zone = said.time_zone or scheduled.zone
            return {"on": "cron", "cron": said.cron_expression, "zone": zone}
        case PartitionShape() as said:
            where = {"namespace": said.dataset.namespace, "name": said.dataset.dataset}
            return {"on": "dataset", "count": said.num_partitions, **where}
        case StatusShape() as said:
            return _status(said, scheduled, path)
        case AndShape() | OrShape() as said:
            below = [
                _condition(one, scheduled, f"{path}.triggers[{place}]", depth + 1)
                for place, one in enumerate(said.triggers)
            ]
            return {"on": "and" if isinstance(said, AndShape) else "or", "operands": below}
    raise AssertionError(trigger)


def _status(said: StatusShape, scheduled: Scheduled, path: str) -> Json:
    program = said.program_id or said.program
    if program is None or not program.name:
        raise InvalidRule(f"{path}: no program: name it as programId.program")
    version = None if program.version in (None, CURRENT) else program.version
    return {
        "on": "status",
        "job": program.name,
        "statuses": list(said.program_statuses or said.statuses),
        "type": (program.type or "WORKFLOW").upper(),
        "namespace": program.namespace or scheduled.namespace,
        "application": program.application or scheduled.application,
        "version": version,
    }


def _read(said: Json, shapes: Mapping[str, type[msgspec.Struct]], path: str) -> msgspec.Struct:
    kind = said.get("type")
    if not isinstance(kind, str) or kind not in shapes:
        raise InvalidRule(f"{path}.type: {kind!r} must be one of {', '.join(shapes)}")
    try:
        return convert_value(said, shapes[kind])
    except msgspec.ValidationError as error:
        fault, _, where = str(error).partition(" - at ")
        raise InvalidRule(f"{path}{where.strip('`').removeprefix('$')}: {fault}") from None


def _kept(kind: str, waits: bool, **said: Any) -> Json:
    return {"kind": kind, "otherwise": "wait" if waits else "abort", **said}


def _clock(text: str) -> str:
    """Return hours and minutes as a whole time of day."""
    hours, _, minutes = text.partition(":")
    return f"{hours:0>2}:{minutes}:00"
