"""Remove a deleted job from triggers, as CDAP does.

Triggers that start the job are deleted. A condition on it can never be true again: it is removed
from an `or`, and conditions that need it are removed with it, up to the whole trigger. A trigger
that a definition states is suspended instead, as it is: the definition still states it.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.condition import AnyCondition, AtLeast, Not, Operator, Or
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.store.triggers import schedules, triggers
from lineagegraph.store.triggers.schedules import ScheduleRow
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree
from lineagegraph.triggers.edit import DEFINITION
from lineagegraph.triggers.write import delete_trigger, enable_trigger, set_trigger


class RuleChange(StrEnum):
    """The fate of a trigger that names a deleted job."""

    DELETED = "DELETED"
    REWRITTEN = "REWRITTEN"
    SUSPENDED = "SUSPENDED"


class TouchedRule(msgspec.Struct, frozen=True):
    """A trigger that names a deleted job, and the job that it starts."""

    name: str
    starts: str
    change: RuleChange


def is_named(tx: Transaction, key: str) -> bool:
    """Return whether a trigger starts the job of a key, or waits for it."""
    return bool(triggers.list_starting(tx, job_key=key) or schedules.list_watching(tx, key=key))


def forget_job(tx: Transaction, key: str, *, now: datetime | None = None) -> list[TouchedRule]:
    """Rewrite, delete or suspend the triggers that name the job of a key, and return them."""
    starting = triggers.list_starting(tx, job_key=key)
    watching = {one.trigger_id for one in schedules.list_watching(tx, key=key)}
    schedules.claim_schedules(tx, ids=sorted({*starting, *watching}))
    watched = schedules.list_watching(tx, key=key)
    gone = {one.condition_id for one in watched}
    names = {one.trigger_id: one.job for one in watched}
    touched = []
    for row in schedules.list_schedules(tx, ids=sorted({*starting, *watching})):
        if row.origin == DEFINITION:
            because = f"job {names.get(row.id, row.program)} was deleted"
            enable_trigger(tx, trigger_id=row.id, enabled=False, because=because, now=now)
            change = RuleChange.SUSPENDED
        else:
            change = _forget(tx, row, None if row.job_key == key else _kept(row, gone), now)
        touched.append(TouchedRule(row.name, row.program, change))
    return touched


def _kept(row: ScheduleRow, gone: Iterable[str]) -> AnyCondition | None:
    return without(read_stored(row.rule), row.id, gone)


def _forget(
    tx: Transaction, row: ScheduleRow, when: AnyCondition | None, now: datetime | None
) -> RuleChange:
    if when is None:
        delete_trigger(tx, starts=row.job_key, name=row.name, now=now)
        return RuleChange.DELETED
    _rewrite(tx, row, when, now)
    return RuleChange.REWRITTEN


def without(rule: Trigger, trigger_id: str, gone: Iterable[str]) -> AnyCondition | None:
    """Return a rule's condition without the nodes of these ids, or None if nothing remains."""
    root, *_ = make_tree(trigger_id, rule.when)
    return _left(root, frozenset(gone))


def _left(node: ConditionNode, gone: frozenset[str]) -> AnyCondition | None:
    condition = node.condition
    if node.id in gone:
        return None
    if isinstance(condition, Not):
        operand = _left(node.operands[0], gone)
        return operand and Not(operand=operand)
    if not isinstance(condition, Operator):
        return condition
    pairs = [(operand.condition, _left(operand, gone)) for operand in node.operands]
    # What can no longer happen has not happened: a `not` of it is true, and needs no saying.
    needed = [left for was, left in pairs if left is not None or not isinstance(was, Not)]
    kept = tuple(left for left in needed if left is not None)
    if not kept or (len(kept) < len(needed) and not _spares(condition, len(kept))):
        return None
    return msgspec.structs.replace(condition, operands=kept)


def _spares(condition: Operator, kept: int) -> bool:
    """Return whether an operator can be true with this number of operands."""
    return isinstance(condition, Or) or (isinstance(condition, AtLeast) and kept >= condition.count)


def _rewrite(tx: Transaction, row: ScheduleRow, when: AnyCondition, now: datetime | None) -> None:
    rule = msgspec.structs.replace(read_stored(row.rule), when=when)
    # With fewer conditions it closes no circle, and uses no name, that it did not before; and what
    # is wrong with what is left may not keep a job from being deleted.
    set_trigger(
        tx,
        rule,
        starts=row.job_key,
        name=row.name,
        namespace=row.namespace,
        origin=row.origin,
        checked=False,
        now=now,
    )
