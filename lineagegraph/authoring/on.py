"""What may start a pipeline; `&`, `|` and `~` join conditions, `.within("6h")` bounds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.durations import Duration, seconds
from lineagegraph.authoring.names import checked_name
from lineagegraph.authoring.origin import Origin, caller
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.authoring.sensor_handle import SensorHandle, watched
from lineagegraph.authoring.sensors import sensor as state
from lineagegraph.errors import DefinitionError, InvalidRule
from lineagegraph.model.runs.states import FIRING, RunState
from lineagegraph.model.triggers.check_condition import check_status
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Condition,
    Not,
    OnAbsent,
    OnCron,
    OnDataset,
    OnEvent,
    OnFresh,
    OnInterval,
    OnSensor,
    OnStatus,
    OnUpstream,
    Or,
    Sequence,
)
from lineagegraph.model.triggers.cron import check_cron
from lineagegraph.model.triggers.predicate import Key

Job = str | PipelineHandle


def success(job: Job) -> OnStatus:
    """A run of the job COMPLETED."""
    return _status(job, (RunState.COMPLETED,), caller())


def failure(job: Job) -> OnStatus:
    """A run of the job FAILED."""
    return _status(job, (RunState.FAILED,), caller())


def killed(job: Job) -> OnStatus:
    """A run of the job was KILLED."""
    return _status(job, (RunState.KILLED,), caller())


def status(
    program: Job,
    *statuses: RunState | str,
    type: str | None = None,  # noqa: A002 - CDAP's word
    namespace: str | None = None,
    application: str | None = None,
    version: str | None = None,
) -> OnStatus:
    """A run of the program reached one of the states COMPLETED, FAILED and KILLED.

    What is left out is that of the program that is started: its namespace, application and
    version. `type` is WORKFLOW for a pipeline and SPARK for a task.
    """
    origin = caller()
    if not statuses:
        raise DefinitionError(f"{origin}: on.status needs one of {', '.join(FIRING)}")
    leaf = _status(program, tuple(_firing(one, origin) for one in statuses), origin)
    return OnStatus(
        job=leaf.job,
        statuses=leaf.statuses,
        namespace=namespace or leaf.namespace,
        type=type,
        application=application,
        version=version,
    )


def upstream(
    hops: int, *statuses: RunState | str, of: Job | None = None, namespace: str | None = None
) -> OnUpstream:
    """A run of any job that feeds the started one (or `of`) within so many hops ended.

    A hop leads from a job over a dataset to the next job. Without statuses it is COMPLETED.
    """
    origin = caller()
    wanted = tuple(_firing(one, origin) for one in statuses) or (RunState.COMPLETED,)
    leaf = _status(of, wanted, origin) if of is not None else None
    return OnUpstream(
        hops=hops,
        statuses=wanted,
        job=leaf.job if leaf else None,
        namespace=namespace or (leaf.namespace if leaf else None),
    )


def dataset(namespace: str, name: str, *, partitions: int = 1) -> OnDataset:
    """A new version of the dataset was written, or of so many of its partitions one each."""
    origin = caller()
    for part, value in (("namespace", namespace), ("name", name)):
        _check_text(value, f"a dataset's {part}", origin)
    return OnDataset(namespace=namespace, name=name, count=partitions)


def event(name: str) -> OnEvent:
    """Somebody outside said, over HTTP or the command line, that something happened."""
    origin = caller()
    _check_text(name, "an event's name", origin)
    return OnEvent(name=name)


def sensor(
    kind: str | Callable[..., Any] | SensorHandle,
    /,
    *,
    poke_interval: Duration = "1m",
    fields: Mapping[str, Any] | None = None,
    **poke_fields: Any,
) -> OnSensor:
    """What a sensor looks at turned true: a kind with its poke fields, or a function to ask.

    It may also be what `lg.sensor(…)` returned, whose terms of waiting mean nothing here.
    """
    origin = caller()
    if isinstance(kind, SensorHandle):
        return watched(kind, kind.terms.poke_interval, origin)
    stated = state(kind, poke_interval=poke_interval, fields=fields, **poke_fields)
    return watched(stated, stated.terms.poke_interval, origin)


def cron(expression: str, *, zone: str | None = None) -> OnCron:
    """A time of a cron expression came: minute, hour, day of month, month, day of week.

    Without a zone it is the installation's.
    """
    origin = caller()
    where = zone or declared().zone
    try:
        check_cron(expression, where)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return OnCron(cron=" ".join(expression.split()), zone=where)


def every(interval: Duration) -> OnInterval:
    """Another interval has gone since the trigger was enabled."""
    return OnInterval(seconds=seconds(interval, "every", caller()))


def fresh(of: OnStatus | OnDataset | str | PipelineHandle, max_age: Duration) -> OnFresh:
    """The latest success of a job, or version of a dataset, is young; once each time it gets so."""
    origin = caller()
    return OnFresh(of=_subject(of, origin), max_age=seconds(max_age, "max_age", origin))


def absent(of: OnStatus | OnDataset | OnEvent | str | PipelineHandle, span: Duration) -> OnAbsent:
    """It has not happened for that long; once each time that becomes so."""
    origin = caller()
    leaf = of if isinstance(of, OnEvent) else _subject(of, origin)
    return OnAbsent(of=leaf, for_seconds=seconds(span, "span", origin))


def all_of(*conditions: AnyCondition) -> And:
    """Every condition is true; the same as `&`."""
    return And(operands=_conditions(conditions, caller()))


def any_of(*conditions: AnyCondition) -> Or:
    """At least one condition is true; the same as `|`."""
    return Or(operands=_conditions(conditions, caller()))


def at_least(count: int, *conditions: AnyCondition) -> AtLeast:
    """So many of the conditions are true."""
    return AtLeast(count=count, operands=_conditions(conditions, caller()))


def sequence(*conditions: AnyCondition) -> Sequence:
    """The conditions became true one after the other, by the times of their events."""
    return Sequence(operands=_conditions(conditions, caller()))


def not_(condition: AnyCondition) -> Not:
    """It has not happened; the same as `~`, and allowed beside what has happened."""
    return Not(operand=_conditions((condition,), caller())[0])


def key(name: str) -> Key:
    """The value of a key in the payload, to compare: `.where(on.key("files").not_empty())`."""
    return Key(name)


def _subject(of: object, origin: Origin) -> OnStatus | OnDataset:
    if isinstance(of, OnStatus | OnDataset):
        return of
    return _status(of, (RunState.COMPLETED,), origin)


def _status(job: object, statuses: tuple[RunState, ...], origin: Origin) -> OnStatus:
    if isinstance(job, PipelineHandle):
        return OnStatus(job=job.name, statuses=statuses, namespace=job.namespace)
    return OnStatus(job=checked_name(job, "job", origin), statuses=statuses)


def _firing(status: RunState | str, origin: Origin) -> RunState:
    try:
        return check_status(str(status))
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: {error}") from None


def _check_text(value: object, what: str, origin: Origin) -> None:
    if not isinstance(value, str) or not value:
        raise DefinitionError(f"{origin}: {what} must be text, not {value!r}")


def _conditions(conditions: tuple[object, ...], origin: Origin) -> tuple[AnyCondition, ...]:
    for one in conditions:
        if not isinstance(one, Condition):
            raise DefinitionError(f"{origin}: {one!r} is no condition: use on.success(…) and such")
    return conditions  # type: ignore[return-value]  # every subclass is in AnyCondition
