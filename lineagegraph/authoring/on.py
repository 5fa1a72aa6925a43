"""Conditions that start a pipeline; `&`, `|` and `~` join them, `.within("6h")` limits the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from lineagegraph.authoring.checked_values import Duration, checked_name, seconds
from lineagegraph.authoring.declared import declared
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
from lineagegraph.model.triggers.tag_event import name_tag_event

Job = str | PipelineHandle


def success(job: Job) -> OnStatus:
    """Match a run of the job that COMPLETED."""
    return _status(job, (RunState.COMPLETED,), caller())


def failure(job: Job) -> OnStatus:
    """Match a run of the job that FAILED."""
    return _status(job, (RunState.FAILED,), caller())


def killed(job: Job) -> OnStatus:
    """Match a run of the job that was KILLED."""
    return _status(job, (RunState.KILLED,), caller())


def status(
    program: Job,
    *statuses: RunState | str,
    type: str | None = None,  # noqa: A002 - CDAP's word
    namespace: str | None = None,
    application: str | None = None,
    version: str | None = None,
) -> OnStatus:
    """Match a run of the program that ended as COMPLETED, FAILED or KILLED.

    `namespace`, `application` and `version` are by default those of the program that is started.
    `type` is WORKFLOW for a pipeline and SPARK for a task.
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
    """Match the end of a run of any job that feeds the started one (or `of`) within some hops.

    A hop leads from a job over a dataset to the next job. By default the status is COMPLETED.
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


def dataset(
    namespace: str, name: str, *, partitions: int = 1, quality: Literal["passed"] | None = None
) -> OnDataset:
    """Match a new version of the dataset, or one for each of several partitions.

    With `quality="passed"`, a version counts once all assertions about it have passed.
    """
    origin = caller()
    for part, value in (("namespace", namespace), ("name", name)):
        _check_text(value, f"a dataset's {part}", origin)
    if quality not in (None, "passed"):
        raise DefinitionError(f"{origin}: quality must be 'passed', not {quality!r}")
    return OnDataset(namespace=namespace, name=name, count=partitions, quality=quality)


def event(name: str) -> OnEvent:
    """Match an event that was sent over HTTP or by the command line."""
    origin = caller()
    _check_text(name, "an event's name", origin)
    return OnEvent(name=name)


def tag_reaches(tag: str) -> OnEvent:
    """Match when values of columns with a watched tag reach new columns unmasked.

    The payload has the `tag`, the first 100 `columns` as NAMESPACE:DATASET#COLUMN, and the `count`.
    """
    _check_text(tag, "a tag's name", caller())
    return OnEvent(name=name_tag_event(tag))


def sensor(
    kind: str | Callable[..., Any] | SensorHandle,
    /,
    *,
    poke_interval: Duration = "1m",
    poke_backoff: float = 1.0,
    max_poke_interval: Duration = "1h",
    fields: Mapping[str, Any] | None = None,
    **poke_fields: Any,
) -> OnSensor:
    """Match when a sensor becomes true: a kind with its poke fields, or a function that is called.

    The result of `lg.sensor(…)` is accepted too; of the terms of its wait only those
    of the poke interval count.
    """
    origin = caller()
    if isinstance(kind, SensorHandle):
        return watched(kind, origin)
    stated = state(
        kind,
        poke_interval=poke_interval,
        poke_backoff=poke_backoff,
        max_poke_interval=max_poke_interval,
        fields=fields,
        **poke_fields,
    )
    return watched(stated, origin)


def cron(expression: str, *, zone: str | None = None) -> OnCron:
    """Match the times of a cron expression: minute, hour, day of month, month, day of week.

    The zone is by default the installation's.
    """
    origin = caller()
    where = zone or declared().zone
    try:
        check_cron(expression, where)
    except InvalidRule as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return OnCron(cron=" ".join(expression.split()), zone=where)


def every(interval: Duration) -> OnInterval:
    """Match once per interval since the trigger was enabled."""
    return OnInterval(seconds=seconds(interval, "every", caller()))


def fresh(of: OnStatus | OnDataset | str | PipelineHandle, max_age: Duration) -> OnFresh:
    """Match once each time that a job's success, or a dataset's version, becomes fresh."""
    origin = caller()
    return OnFresh(of=_subject(of, origin), max_age=seconds(max_age, "max_age", origin))


def absent(of: OnStatus | OnDataset | OnEvent | str | PipelineHandle, span: Duration) -> OnAbsent:
    """Match once each time that something has not happened for so long."""
    origin = caller()
    leaf = of if isinstance(of, OnEvent) else _subject(of, origin)
    return OnAbsent(of=leaf, for_seconds=seconds(span, "span", origin))


def all_of(*conditions: AnyCondition) -> And:
    """Match when every condition is true; the same as `&`."""
    return And(operands=_conditions(conditions, caller()))


def any_of(*conditions: AnyCondition) -> Or:
    """Match when at least one condition is true; the same as `|`."""
    return Or(operands=_conditions(conditions, caller()))


def at_least(count: int, *conditions: AnyCondition) -> AtLeast:
    """Match when at least `count` of the conditions are true."""
    return AtLeast(count=count, operands=_conditions(conditions, caller()))


def sequence(*conditions: AnyCondition) -> Sequence:
    """Match when the conditions became true in this order, by the times of their events."""
    return Sequence(operands=_conditions(conditions, caller()))


def not_(condition: AnyCondition) -> Not:
    """Match when a condition is not true; the same as `~`, allowed only beside other conditions."""
    return Not(operand=_conditions((condition,), caller())[0])


def key(name: str) -> Key:
    """Return a key of the payload, to compare: `.where(on.key("files").not_empty())`."""
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


def _check_text(value: object, name: str, origin: Origin) -> None:
    if not isinstance(value, str) or not value:
        raise DefinitionError(f"{origin}: {name} must be text, not {value!r}")


def _conditions(conditions: tuple[object, ...], origin: Origin) -> tuple[AnyCondition, ...]:
    for one in conditions:
        if not isinstance(one, Condition):
            raise DefinitionError(
                f"{origin}: {one!r} is not a condition: use on.success(…) and such"
            )
    return conditions  # type: ignore[return-value]  # every subclass is in AnyCondition
