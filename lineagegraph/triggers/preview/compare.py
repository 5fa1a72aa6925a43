"""What a change of a rule would mean: other firings in the past, and held occurrences forgotten."""

from datetime import timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.store.triggers.catalog import WholeTriggerRow, walk_conditions
from lineagegraph.triggers.condition_nodes import make_tree
from lineagegraph.triggers.preview.preview import Foreseen, preview_trigger


class ForgottenCondition(msgspec.Struct, frozen=True):
    """A condition that a changed rule has no more, and its held occurrences."""

    text: str
    occurrences: int


class RuleDifference(msgspec.Struct, frozen=True):
    """The difference between a trigger's rule and another one, for the same past.

    `lost` are firings of the present rule only, `added` those of the other only; `same` is the
    number of those of both.
    """

    same: int
    lost: tuple[Foreseen, ...]
    added: tuple[Foreseen, ...]
    forgotten: tuple[ForgottenCondition, ...]


def compare_rules(
    tx: Transaction, trigger: WholeTriggerRow, other: Trigger, *, span: timedelta
) -> RuleDifference:
    """Return what would change if a trigger had another rule; nothing is written.

    Raises the errors of `write_trigger` for an unusable rule.
    """
    now, new = (_firings(tx, trigger, rule, span) for rule in (_rule(trigger), other))
    return RuleDifference(
        same=len(now.keys() & new.keys()),
        lost=tuple(one for key, one in now.items() if key not in new),
        added=tuple(one for key, one in new.items() if key not in now),
        forgotten=_forgotten(tx, trigger, other),
    )


def _rule(trigger: WholeTriggerRow) -> Trigger:
    return read_stored(trigger.rule or "")


def _firings(
    tx: Transaction, trigger: WholeTriggerRow, rule: Trigger, span: timedelta
) -> dict[tuple[object, str | None], Foreseen]:
    starts, namespace = trigger.job_key or "", trigger.namespace or ""
    found = preview_trigger(tx, rule, starts=starts, namespace=namespace, span=span)
    return {(one.at, one.value): one for one in found.firings}


def _forgotten(
    tx: Transaction, trigger: WholeTriggerRow, other: Trigger
) -> tuple[ForgottenCondition, ...]:
    """Return the held occurrences of conditions that the other rule does not have."""
    nodes = make_tree(trigger.id, other.when)
    kept = {node.id for node in nodes}
    return tuple(
        ForgottenCondition(row.text or row.operator, row.occurrences)
        for row in walk_conditions(tx, id=trigger.id)
        if row.occurrences and row.id not in kept
    )
