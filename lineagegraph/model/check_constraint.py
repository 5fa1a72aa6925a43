"""What a constraint must be to be used at all, and for which triggers."""

from collections.abc import Iterable
from datetime import time

from lineagegraph.errors import InvalidRule
from lineagegraph.model.check_number import check_at_least_one, check_positive
from lineagegraph.model.condition import Leaf, OnCron, OnInterval, tag_of
from lineagegraph.model.constraint import (
    AnyConstraint,
    Concurrency,
    Delay,
    Gap,
    Otherwise,
    Rate,
    TimeRange,
)
from lineagegraph.model.cron import check_zone


def check_constraint(constraint: AnyConstraint, leaves: Iterable[Leaf]) -> None:
    """Raise `InvalidRule` unless a constraint can be used for a trigger with these leaves."""
    name = tag_of(constraint)
    if isinstance(constraint, Delay | TimeRange | Rate) and not any(map(_comes_unasked, leaves)):
        raise InvalidRule(
            f"`{name}` does not suit a trigger that waits for nothing but times: "
            "say it in the cron expression"
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
    if start == end:
        raise InvalidRule(f"a time range from {start:%H:%M} to {end:%H:%M} is empty")
