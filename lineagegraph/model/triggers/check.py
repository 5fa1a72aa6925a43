"""Checks of a trigger's constraints."""

from collections.abc import Iterable
from datetime import time

from lineagegraph.errors import InvalidRule
from lineagegraph.model.triggers.check_condition import (
    check_at_least_one,
    check_condition,
    check_positive,
)
from lineagegraph.model.triggers.condition import (
    Happening,
    Leaf,
    OnCron,
    OnInterval,
    leaves_of,
    tag_of,
)
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
from lineagegraph.model.triggers.cron import check_cron, check_zone
from lineagegraph.model.triggers.trigger import Trigger


def check_constraint(constraint: AnyConstraint, leaves: Iterable[Leaf]) -> None:
    """Raise `InvalidRule` unless a constraint is valid for a trigger with these leaves."""
    name = tag_of(constraint)
    if isinstance(constraint, Delay | TimeRange | Rate) and not any(map(_comes_unasked, leaves)):
        raise InvalidRule(
            f"`{name}` does not suit a trigger that waits only for times: "
            "use the cron expression instead"
        )
    match constraint:
        case Concurrency():
            check_at_least_one(constraint.limit, name)
        case Delay():
            _check_delay(constraint)
        case Gap():
            check_positive(constraint.seconds, name)
        case TimeRange():
            check_zone(constraint.zone)
            _check_range(constraint.start, constraint.end)
        case NotFailing() if not constraint.job:
            raise InvalidRule(f"`{name}` needs the name of a job")
        case Rate():
            check_at_least_one(constraint.limit, name)
            check_positive(constraint.seconds, name)


def _comes_unasked(leaf: Leaf) -> bool:
    return not isinstance(leaf, OnCron | OnInterval)


def _check_delay(delay: Delay) -> None:
    check_positive(delay.seconds, "delay")
    if delay.since not in ("satisfied", "first"):
        raise InvalidRule(f"delay since {delay.since!r}: use `satisfied` or `first`")
    if delay.otherwise is not Otherwise.WAIT:
        raise InvalidRule("a delay can only wait: with `abort` nothing would ever start")


def _check_range(start: time, end: time) -> None:
    if start.tzinfo or end.tzinfo:
        raise InvalidRule("a time range has times of day without an offset: name its `zone`")
    if start == end:
        raise InvalidRule(f"a time range from {start:%H:%M} to {end:%H:%M} is empty")


def check_trigger(trigger: Trigger) -> None:
    """Raise `InvalidRule` unless a trigger is valid."""
    check_condition(trigger.when)
    leaves = leaves_of(trigger.when)
    _check_correlation(trigger.correlate_by, leaves)
    if trigger.reset:
        check_cron(trigger.reset.cron, trigger.reset.zone)
    for constraint in trigger.constraints:
        check_constraint(constraint, leaves)
    _check_numbers(trigger)
    _check_arguments(trigger)


def _check_correlation(key: str | None, leaves: list[Leaf]) -> None:
    if key is None:
        return
    if not key:
        raise InvalidRule("correlate_by needs `partition` or the name of a key in the payload")
    for leaf in leaves:
        if not isinstance(leaf, Happening):
            name = tag_of(leaf)
            raise InvalidRule(f"correlate_by={key!r} does not suit `{name}`, which has no payload")


def _check_numbers(trigger: Trigger) -> None:
    if trigger.ttl is not None:
        check_positive(trigger.ttl, "ttl")
    if trigger.reruns < 0:
        raise InvalidRule(f"reruns {trigger.reruns}: use 0 or more")
    if trigger.reruns:
        check_at_least_one(trigger.reruns, "reruns")
    if not trigger.rerun_delay >= 0:
        raise InvalidRule(f"rerun_delay {trigger.rerun_delay:g}: use 0 or more")
    if trigger.rerun_delay:
        check_positive(trigger.rerun_delay, "rerun_delay")


def _check_arguments(trigger: Trigger) -> None:
    seen: set[str] = set()
    for argument in trigger.arguments:
        if not argument.parameter or not argument.key:
            raise InvalidRule("an argument needs the name of a parameter and of a key")
        if argument.parameter in seen:
            raise InvalidRule(f"parameter {argument.parameter!r} is mapped twice: keep one")
        seen.add(argument.parameter)
