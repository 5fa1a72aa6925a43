"""What a trigger must be to be used at all, wherever it was stated."""

from datetime import time

from lineagegraph.errors import InvalidRule
from lineagegraph.model.condition import (
    And,
    AnyCondition,
    AtLeast,
    Happening,
    Leaf,
    Not,
    OnAbsent,
    OnCron,
    OnDataset,
    OnFresh,
    OnInterval,
    OnStatus,
    OnUpstream,
    Operator,
    Sequence,
    Timed,
    leaves_of,
    operands_of,
    tag_of,
)
from lineagegraph.model.constraint import (
    AnyConstraint,
    Concurrency,
    Delay,
    Gap,
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.cron import check_cron, check_zone
from lineagegraph.model.predicate import check_predicate
from lineagegraph.model.states import FIRING, RunState
from lineagegraph.model.trigger import Trigger

_MOST_CONDITIONS = 200
_MOST_HOPS = 10
_REFUSED = {
    "INITIALIZING": "a run that is only about to start may never do anything",
    "RUNNING": "a run that goes on may still fail",
}


def check_trigger(trigger: Trigger) -> None:
    """Raise `InvalidRule` unless a trigger can be used."""
    if _count(trigger.when) > _MOST_CONDITIONS:
        raise InvalidRule(f"a trigger has at most {_MOST_CONDITIONS} conditions: split it in two")
    _check(trigger.when)
    if isinstance(trigger.when, Not):
        raise InvalidRule("`not` alone would be true for ever: put it beside what happens, by &")
    leaves = leaves_of(trigger.when)
    _check_correlation(trigger.correlate_by, leaves)
    if trigger.reset:
        check_cron(trigger.reset.cron, trigger.reset.zone)
    for constraint in trigger.constraints:
        _check_constraint(constraint, leaves)
    _check_numbers(trigger)
    _check_arguments(trigger)


def check_status(status: str) -> RunState:
    """Return the state that a trigger may wait for; raise `InvalidRule` for any other."""
    state = next((state for state in FIRING if state == status), None)
    if state is not None:
        return state
    use = f"use {', '.join(FIRING)}"
    if status in _REFUSED:
        raise InvalidRule(f"{status} starts nothing, as {_REFUSED[status]}: {use}")
    known = status in list(RunState)
    raise InvalidRule(
        f"{status} is no {'end that can start something' if known else 'status'}: {use}"
    )


def _count(condition: AnyCondition) -> int:
    return 1 + sum(map(_count, operands_of(condition)))


def _check(condition: AnyCondition) -> None:
    if isinstance(condition, Operator):
        _check_operator(condition)
    elif isinstance(condition, Not) and isinstance(condition.operand, Not):
        raise InvalidRule("`not not x` is x: leave both out")
    else:
        _check_leaf(condition)
    if isinstance(condition, Timed) and condition.within_seconds is not None:
        _positive(condition.within_seconds, "within")
    for operand in operands_of(condition):
        _check(operand)


def _check_operator(condition: Operator) -> None:
    name = tag_of(condition)
    operands = condition.operands
    if not operands:
        raise InvalidRule(f"an empty `{name}` is never true: give it operands")
    negative = [operand for operand in operands if isinstance(operand, Not)]
    if negative and not isinstance(condition, And):
        raise InvalidRule(f"`not` in an `{name}` would be true for ever: put it in an & instead")
    if len(negative) == len(operands):
        raise InvalidRule("an `and` of nothing but `not` would be true for ever: add what happens")
    if isinstance(condition, AtLeast) and not 1 <= condition.count <= len(operands):
        raise InvalidRule(
            f"at least {condition.count} of {len(operands)} conditions: "
            f"use a number from 1 to {len(operands)}"
        )
    if isinstance(condition, Sequence) and len(operands) < 2:
        raise InvalidRule("a `sequence` needs two conditions or more")


def _check_leaf(leaf: AnyCondition) -> None:
    if isinstance(leaf, Happening):
        for predicate in leaf.where_:
            check_predicate(predicate)
        if leaf.count < 1:
            raise InvalidRule(f"times {leaf.count}: use 1 or more")
    match leaf:
        case OnStatus() | OnUpstream():
            _check_watched(leaf)
        case OnDataset() if not (leaf.namespace and leaf.name):
            raise InvalidRule("a dataset needs a namespace and a name")
        case OnCron():
            check_cron(leaf.cron, leaf.zone)
        case OnInterval() if leaf.seconds < 1:
            raise InvalidRule(f"every {leaf.seconds:g}s: use a second or more")
        case OnFresh():
            _positive(leaf.max_age, "max_age")
            _check_state(leaf.of)
        case OnAbsent():
            _positive(leaf.for_seconds, "for")
            _check_state(leaf.of)


def _check_watched(leaf: OnStatus | OnUpstream) -> None:
    if not leaf.statuses:
        raise InvalidRule(f"a status is missing: use {', '.join(FIRING)}")
    for status in leaf.statuses:
        check_status(status)
    if isinstance(leaf, OnStatus) and not leaf.job:
        raise InvalidRule("a status needs the name of a job")
    if isinstance(leaf, OnUpstream) and not 1 <= leaf.hops <= _MOST_HOPS:
        raise InvalidRule(f"{leaf.hops} hops: use a number from 1 to {_MOST_HOPS}")


def _check_state(of: AnyCondition) -> None:
    _check_leaf(of)
    if isinstance(of, Happening) and (of.where_ or of.count > 1 or of.within_seconds is not None):
        raise InvalidRule("`fresh` and `absent` look at a job, dataset or event as a whole")


def _check_correlation(key: str | None, leaves: list[Leaf]) -> None:
    if key is None:
        return
    if not key:
        raise InvalidRule("correlate_by needs `partition` or the name of a key in the payload")
    for leaf in leaves:
        if not isinstance(leaf, Happening):
            name = tag_of(leaf)
            raise InvalidRule(f"correlate_by={key!r} does not suit `{name}`, which has no payload")


def _check_constraint(constraint: AnyConstraint, leaves: list[Leaf]) -> None:
    name = tag_of(constraint)
    if isinstance(constraint, Delay | TimeRange | Rate) and not any(map(_comes_unasked, leaves)):
        raise InvalidRule(
            f"`{name}` does not suit a trigger that waits for nothing but times: "
            "say it in the cron expression"
        )
    match constraint:
        case Concurrency():
            _at_least_one(constraint.limit, name)
        case Delay():
            _check_delay(constraint)
        case Gap():
            _positive(constraint.seconds, name)
        case TimeRange():
            check_zone(constraint.zone)
            _check_range(constraint.start, constraint.end)
        case Rate():
            _at_least_one(constraint.limit, name)
            _positive(constraint.seconds, name)


def _comes_unasked(leaf: Leaf) -> bool:
    return not isinstance(leaf, OnCron | OnInterval)


def _check_delay(delay: Delay) -> None:
    _positive(delay.seconds, "delay")
    if delay.since not in ("satisfied", "first"):
        raise InvalidRule(f"delay since {delay.since!r}: use `satisfied` or `first`")
    if delay.otherwise is not Otherwise.WAIT:
        raise InvalidRule("a delay can only wait: with `abort` nothing would ever start")


def _check_range(start: time, end: time) -> None:
    if start == end:
        raise InvalidRule(f"a time range from {start:%H:%M} to {end:%H:%M} is empty")


def _check_numbers(trigger: Trigger) -> None:
    if trigger.ttl is not None:
        _positive(trigger.ttl, "ttl")
    if trigger.reruns < 0:
        raise InvalidRule(f"reruns {trigger.reruns}: use 0 or more")
    if trigger.rerun_delay < 0:
        raise InvalidRule(f"rerun_delay {trigger.rerun_delay:g}: use 0 or more")


def _check_arguments(trigger: Trigger) -> None:
    seen: set[str] = set()
    for argument in trigger.arguments:
        if not argument.parameter or not argument.key:
            raise InvalidRule("an argument needs the name of a parameter and of a key")
        if argument.parameter in seen:
            raise InvalidRule(f"parameter {argument.parameter!r} is mapped twice: keep one")
        seen.add(argument.parameter)


def _positive(value: float, what: str) -> None:
    if not 0 < value < float("inf"):
        raise InvalidRule(f"{what} {value:g}: use more than 0 seconds")


def _at_least_one(value: int, what: str) -> None:
    if value < 1:
        raise InvalidRule(f"{what} {value}: use 1 or more")
