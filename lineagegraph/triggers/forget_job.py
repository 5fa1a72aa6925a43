"""Remove a deleted job from triggers, as CDAP does.

Triggers that start the job are deleted. A condition on it can never be true again: it is removed
from an `or`, and conditions that need it are removed with it, up to the whole trigger.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.condition import AnyCondition, AtLeast, Not, Operator, Or
from lineagegraph.model.triggers.describe import other_namespaces
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.store.triggers import schedules, triggers
from lineagegraph.store.triggers.schedules import ScheduleRow
from lineagegraph.triggers.condition_nodes import ConditionNode, make_tree
from lineagegraph.triggers.write import delete_trigger, set_trigger


class RemovedRules(NamedTuple):
    """The names of the deleted triggers, and of the reduced ones."""

    deleted: list[str]
    changed: list[str]


def is_named(tx: Transaction, key: str) -> bool:
    """Return whether a trigger starts the job of a key, or waits for it."""
    return bool(triggers.list_starting(tx, job_key=key) or schedules.list_watching(tx, key=key))


def forget_job(tx: Transaction, key: str, *, now: datetime | None = None) -> RemovedRules:
    """Rewrite or delete the triggers that name the job of a key."""
    starting = triggers.list_starting(tx, job_key=key)
    watching = {one.trigger_id for one in schedules.list_watching(tx, key=key)}
    schedules.claim_schedules(tx, ids=sorted({*starting, *watching}))
    gone = {one.condition_id for one in schedules.list_watching(tx, key=key)}
    forgotten = RemovedRules([], [])
    for row in schedules.list_schedules(tx, ids=sorted({*starting, *watching})):
        when = None if row.job_key == key else without(read_stored(row.rule), row.id, gone)
        if when is None:
            delete_trigger(tx, starts=row.job_key, name=row.name, now=now)
            forgotten.deleted.append(row.name)
        else:
            _rewrite(tx, row, when, now)
            forgotten.changed.append(row.name)
    return forgotten


def without(rule: Trigger, trigger_id: str, gone: Iterable[str]) -> AnyCondition | None:
    """Return a rule's condition without the nodes of these ids, or None if nothing remains."""
    root, *_ = make_tree(trigger_id, rule.when, windowed=False)
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
    set_trigger(
        tx,
        rule,
        starts=row.job_key,
        name=row.name,
        namespace=row.namespace,
        origin=row.origin,
        now=now,
    )
    reads = other_namespaces(rule, row.namespace)
    schedules.set_maker(tx, id=row.id, anew=False, token=None, reads=reads)
