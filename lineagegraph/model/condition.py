"""What must be true before a trigger starts its job: leaves, and AND and OR over them."""

from __future__ import annotations

import msgspec

from lineagegraph.model.states import RunState


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One node of a condition tree; `&` and `|` join two of them."""

    def __and__(self, other: AnyCondition) -> And:
        return And(operands=(*_flat(And, self), *_flat(And, other)))

    def __or__(self, other: AnyCondition) -> Or:
        return Or(operands=(*_flat(Or, self), *_flat(Or, other)))


class OnStatus(Condition, frozen=True, tag="status", tag_field="on"):
    """A run of a job reached one of the states."""

    job: str
    statuses: tuple[RunState, ...]
    namespace: str | None = None


class OnDataset(Condition, frozen=True, tag="dataset", tag_field="on"):
    """A new version of a dataset was written."""

    namespace: str
    name: str


class OnCron(Condition, frozen=True, tag="cron", tag_field="on"):
    """A time of a cron expression (five fields) came, in a time zone."""

    cron: str
    zone: str


class And(Condition, frozen=True, tag="and", tag_field="on"):
    """Every operand is true."""

    operands: tuple[AnyCondition, ...]


class Or(Condition, frozen=True, tag="or", tag_field="on"):
    """At least one operand is true."""

    operands: tuple[AnyCondition, ...]


AnyCondition = OnStatus | OnDataset | OnCron | And | Or


def _flat(operator: type[And] | type[Or], condition: Condition) -> tuple[AnyCondition, ...]:
    if isinstance(condition, operator):
        return condition.operands
    return (condition,)  # type: ignore[return-value]  # every subclass is in AnyCondition
