"""What a trigger must be to be used at all, wherever it was stated."""

from lineagegraph.errors import InvalidRule
from lineagegraph.model.check_condition import check_condition
from lineagegraph.model.check_constraint import check_constraint
from lineagegraph.model.check_number import check_positive
from lineagegraph.model.condition import Happening, Leaf, leaves_of, tag_of
from lineagegraph.model.cron import check_cron
from lineagegraph.model.trigger import Trigger


def check_trigger(trigger: Trigger) -> None:
    """Raise `InvalidRule` unless a trigger can be used."""
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
