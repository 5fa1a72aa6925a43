"""The options of pipelines and batches: parameters, dates and the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from lineagegraph.authoring.checked_values import Duration
from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.triggers import StatedTriggers
from lineagegraph.errors import DefinitionError, InvalidParameter
from lineagegraph.model.pipelines.definition import Parameter
from lineagegraph.model.pipelines.parameters import TYPES, plain_value

Day = date | datetime | str
_REQUIRED = object()
_INSTANT = timedelta(microseconds=1)


class PipelineOptions(TypedDict, total=False):
    """The options that pipelines and batches share."""

    #: parameters by name: a default, a type, or `lg.param(…)`
    params: Mapping[str, Any] | None
    #: names of the parameters that identify the part of the data that a run covers
    partition_by: str | Sequence[str]
    #: conditions and triggers that start it
    trigger: StatedTriggers
    #: configuration of its Spark application
    spark: Mapping[str, Any] | None
    #: namespace of its job; None takes the installation's
    namespace: str | None
    #: number of tasks that may run at once
    concurrency: int
    #: limit for a run, from its start
    timeout: Duration | None
    #: text for people
    description: str | None
    #: first day or time at which a schedule starts it
    start_date: Day | None
    #: last day or time at which a schedule starts it
    end_date: Day | None
    #: code that reruns take: `as_was`, `latest`, `ask` or `pinned:VERSION`
    rerun: str | None


PIPELINE_DEFAULTS = PipelineOptions(
    params=None,
    partition_by=(),
    trigger=None,
    spark=None,
    namespace=None,
    concurrency=4,
    timeout=None,
    description=None,
    start_date=None,
    end_date=None,
    rerun=None,
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A parameter's type, and its default if it has one."""

    python_type: type
    default: Any = _REQUIRED


def param(type_: type, /, *, default: Any = _REQUIRED) -> Declaration:
    """Declare a parameter of a type; without a default every run must give it."""
    return Declaration(type_, default)


def declare(declared: Mapping[str, Any], pipeline: str, origin: Origin) -> tuple[Parameter, ...]:
    """Return the parameters declared by `params={name: default, type or lg.param(…)}`."""
    return tuple(_declare(name, value, pipeline, origin) for name, value in declared.items())


def _declare(name: str, value: Any, pipeline: str, origin: Origin) -> Parameter:
    if not isinstance(name, str) or not name.isidentifier() or name == "spark":
        raise DefinitionError(
            f"{origin}: parameter {name!r} of {pipeline}: use a Python name other than 'spark'"
        )
    declaration = _declaration(value)
    type_ = TYPES.get(declaration.python_type)
    if type_ is None:
        raise DefinitionError(
            f"{origin}: parameter {name} of {pipeline}: the type of {value!r} is not supported: "
            f"use lg.param(type) with one of {', '.join(t.__name__ for t in TYPES)}"
        )
    if declaration.default is _REQUIRED:
        return Parameter(name=name, type=type_, required=True)
    if declaration.default is None:
        return Parameter(name=name, type=type_)
    try:
        return Parameter(name=name, type=type_, default=plain_value(type_, declaration.default))
    except ValueError as error:
        raise InvalidParameter(f"{origin}: default of {name} of {pipeline}: {error}") from error


def _declaration(value: Any) -> Declaration:
    if isinstance(value, Declaration):
        return value
    return Declaration(value) if isinstance(value, type) else Declaration(type(value), value)


def stated_start(start: Day | None, origin: Origin) -> datetime | None:
    """Return the first moment of a `start_date`; a day begins at midnight."""
    if start is None:
        return None
    found = _read(start, "start_date", origin)
    return _placed(found) if isinstance(found, datetime) else _midnight(found)


def stated_end(end: Day | None, start: Day | None, origin: Origin) -> datetime | None:
    """Return the last moment of an `end_date`; a day lasts until the next one begins."""
    if end is None:
        return None
    found = _read(end, "end_date", origin)
    last = (
        _placed(found)
        if isinstance(found, datetime)
        else _midnight(found + timedelta(days=1)) - _INSTANT
    )
    first = stated_start(start, origin)
    if first is not None and last < first:
        raise DefinitionError(f"{origin}: end_date {end} is before start_date {start}: swap them")
    return last


def _read(stated: object, option: str, origin: Origin) -> date | datetime:
    try:
        found = _parsed(stated)
        if not 1 < found.year < 9999:
            raise ValueError
    except ValueError:
        raise DefinitionError(
            f"{origin}: {option}={stated!r} is not a day or time: give a date, a datetime or ISO "
            "8601 text like '2026-01-31'"
        ) from None
    return found


def _parsed(stated: object) -> date | datetime:
    if isinstance(stated, str):
        text = stated.strip()
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    if not isinstance(stated, date):
        raise ValueError
    return stated


def _midnight(day: date) -> datetime:
    return _placed(datetime.combine(day, time()))


def _placed(at: datetime) -> datetime:
    """Return a time with a fixed offset, so that later changes of a zone's rules do not move it.

    A time that the clock skips is moved later by the length of the skip.
    """
    placed = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(declared().zone))
    offset = placed.astimezone(UTC).astimezone(placed.tzinfo).utcoffset()
    return placed.astimezone(timezone(offset or timedelta()))
