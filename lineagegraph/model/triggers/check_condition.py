"""Checks of a trigger's condition tree and its numbers."""

from lineagegraph.errors import InvalidRule
from lineagegraph.model.runs.states import FIRING, RunState
from lineagegraph.model.triggers.condition import (
    And,
    AnyCondition,
    AtLeast,
    Happening,
    Not,
    OnAbsent,
    OnCron,
    OnDataset,
    OnFresh,
    OnInterval,
    OnSensor,
    OnStatus,
    OnUpstream,
    Operator,
    Sequence,
    Timed,
    operands_of,
    tag_of,
)
from lineagegraph.model.triggers.cron import check_cron
from lineagegraph.model.triggers.predicate import check_predicate
from lineagegraph.model.waits import LONGEST, MOST_BACKOFF, SHORTEST_POKE


def check_positive(value: float, what: str) -> None:
    """Raise `InvalidRule` unless a number of seconds is positive and at most ten years."""
    # A time beyond the calendar would refuse each event that the rule waits for.
    if not 0 < value <= LONGEST:
        raise InvalidRule(f"{what} {value:g}: use more than 0 seconds, and ten years at most")


def check_at_least_one(value: int, what: str) -> None:
    """Raise `InvalidRule` unless a count is 1 or more, and can be stored."""
    if value < 1:
        raise InvalidRule(f"{what} {value}: use 1 or more")
    if value > _MOST:
        raise InvalidRule(f"{what} {value}: use {_MOST:,} at most")


_MOST = 1_000_000
_MOST_CONDITIONS = 200
_MOST_HOPS = 10
_MOST_COUNTED = 10_000
# CDAP's design of program schedules writes FAILED so in one of its lists.
_SAME = {"FAILING": "FAILED"}
_REFUSED = {
    "INITIALIZING": "a run that is only about to start may never run",
    "RUNNING": "a run in progress may still fail",
}


def check_condition(condition: AnyCondition) -> None:
    """Raise `InvalidRule` unless a condition tree is valid as the whole condition of a trigger."""
    if _count(condition) > _MOST_CONDITIONS:
        raise InvalidRule(f"a trigger has at most {_MOST_CONDITIONS} conditions: split it in two")
    _check(condition)
    if isinstance(condition, Not):
        raise InvalidRule("`not` alone would always be true: combine it with an event, by &")


def check_status(status: str) -> RunState:
    """Return the state that a trigger may wait for; raise `InvalidRule` for any other."""
    state = next((state for state in FIRING if state == _SAME.get(status, status)), None)
    if state is not None:
        return state
    use = f"use {', '.join(FIRING)}"
    if status in _REFUSED:
        raise InvalidRule(f"{status} cannot start a job, as {_REFUSED[status]}: {use}")
    known = status in list(RunState)
    raise InvalidRule(
        f"{status} is not {'an end that can start a job' if known else 'a status'}: {use}"
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
        check_positive(condition.within_seconds, "within")
    for operand in operands_of(condition):
        _check(operand)


def _check_operator(condition: Operator) -> None:
    name = tag_of(condition)
    operands = condition.operands
    if not operands:
        raise InvalidRule(f"an empty `{name}` is never true: give it operands")
    negative = [operand for operand in operands if isinstance(operand, Not)]
    if negative and not isinstance(condition, And):
        raise InvalidRule(f"`not` in an `{name}` would always be true: put it in an & instead")
    if len(negative) == len(operands):
        raise InvalidRule("an `and` of only `not` would always be true: add an event")
    if isinstance(condition, AtLeast) and not 1 <= condition.count <= len(operands):
        raise InvalidRule(
            f"at least {condition.count} of {len(operands)} conditions: "
            f"use a number from 1 to {len(operands)}"
        )
    if isinstance(condition, Sequence) and len(operands) < 2:
        raise InvalidRule("a `sequence` needs two conditions or more")


def _check_leaf(leaf: AnyCondition) -> None:
    if isinstance(leaf, Happening):
        _check_happening(leaf)
    match leaf:
        case OnStatus() | OnUpstream():
            _check_watched(leaf)
        case OnDataset() if not (leaf.namespace and leaf.name):
            raise InvalidRule("a dataset needs a namespace and a name")
        case OnCron():
            check_cron(leaf.cron, leaf.zone)
        case OnInterval() if not 1 <= leaf.seconds <= LONGEST:
            raise InvalidRule(
                f"every {leaf.seconds:g}s: use a second or more, and ten years at most"
            )
        case OnSensor():
            _check_interval("poke_interval", leaf.poke_interval)
            _check_interval("max_poke_interval", leaf.max_poke_interval)
            _check_backoff(leaf.poke_backoff)
        case OnFresh(of=of, max_age=seconds):
            _check_state(of, seconds, "max_age")
        case OnAbsent(of=of, for_seconds=seconds):
            _check_state(of, seconds, "for")


def _check_happening(leaf: Happening) -> None:
    for predicate in leaf.where_:
        check_predicate(predicate)
    if not 1 <= leaf.count <= _MOST_COUNTED:
        what = "partitions" if isinstance(leaf, OnDataset) else "times"
        raise InvalidRule(f"{what} {leaf.count:,}: use a number from 1 to {_MOST_COUNTED:,}")


def _check_watched(leaf: OnStatus | OnUpstream) -> None:
    if not leaf.statuses:
        raise InvalidRule(f"a status is missing: use {', '.join(FIRING)}")
    for status in leaf.statuses:
        check_status(status)
    if isinstance(leaf, OnStatus) and not leaf.job:
        raise InvalidRule("a status needs the name of a job")
    if isinstance(leaf, OnUpstream) and not 1 <= leaf.hops <= _MOST_HOPS:
        raise InvalidRule(f"{leaf.hops} hops: use a number from 1 to {_MOST_HOPS}")


def _check_interval(what: str, seconds: float) -> None:
    if not SHORTEST_POKE <= seconds <= LONGEST:
        raise InvalidRule(
            f"{what} {seconds:g}: use {SHORTEST_POKE:g} seconds or more, and ten years at most"
        )


def _check_backoff(factor: float) -> None:
    if not 1 <= factor <= MOST_BACKOFF:
        raise InvalidRule(f"poke_backoff {factor:g}: use a number from 1 to {MOST_BACKOFF:g}")


def _check_state(of: AnyCondition, seconds: float, what: str) -> None:
    check_positive(seconds, what)
    _check_leaf(of)
    if isinstance(of, Happening) and (of.where_ or of.count > 1 or of.within_seconds is not None):
        raise InvalidRule("`fresh` and `absent` apply to a job, dataset or event as a whole")
