"""The triggers that the graph has."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class TriggerRow(msgspec.Struct, frozen=True):
    """A trigger; `starts` is the FQN of the job that it starts, `text` its condition in words."""

    id: str
    name: str | None
    enabled: bool
    created_at: datetime | None
    generation: int | None
    starts: str | None
    namespace: str | None
    text: str | None
    firings: int
    fired_at: datetime | None


class ConditionRow(msgspec.Struct, frozen=True):
    """A condition, the id of the one it is an operand of, and its unconsumed occurrences."""

    id: str
    parent: str | None
    operator: str
    text: str | None
    statuses: tuple[str, ...]
    cron: str | None
    zone: str | None
    next_at: datetime | None
    watches: str | None
    occurrences: int


@bound
def list_triggers(tx: Transaction, *, limit: int) -> list[TriggerRow]: ...


@bound
def walk_conditions(tx: Transaction, *, id: str) -> list[ConditionRow]: ...
