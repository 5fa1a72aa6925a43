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


class WholeTriggerRow(TriggerRow, frozen=True):
    """A trigger with its rule (JSON), and the key and dates of the job that it starts."""

    suspended_at: datetime | None
    origin: str | None
    description: str | None
    job_key: str | None
    rule: str | None
    start_date: datetime | None
    end_date: datetime | None


class NamedTrigger(msgspec.Struct, frozen=True):
    """A trigger that fits a name: by its id (rank 0), its name (1) or its job's (2)."""

    id: str
    rank: int


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
    need: int
    within: float | None
    occurrences: int


@bound
def list_triggers(tx: Transaction, *, limit: int) -> list[TriggerRow]: ...


@bound
def list_named(tx: Transaction, *, name: str) -> list[NamedTrigger]: ...


@bound
def get_trigger(tx: Transaction, *, id: str) -> WholeTriggerRow | None: ...


@bound
def walk_conditions(tx: Transaction, *, id: str) -> list[ConditionRow]: ...
