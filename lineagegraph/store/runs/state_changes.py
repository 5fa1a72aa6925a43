"""Changes of state: which run came to which state when, in the order in which it was recorded."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState


class Numbered(msgspec.Struct, frozen=True):
    """The newest number, the newest of which nothing is left, and how many were just given."""

    newest: int
    forgotten: int
    numbered: int


class Bounds(msgspec.Struct, frozen=True):
    """The newest number, the newest of which nothing is left, and whether changes have none."""

    newest: int
    forgotten: int
    unsettled: bool


class ChangeRow(msgspec.Struct, frozen=True):
    """A change of state and its run; `params` and so on are JSON texts."""

    number: int
    run_id: str
    state: RunState
    at: datetime
    recorded_at: datetime
    reason: str | None
    message: str | None
    namespace: str
    top_namespace: str
    application: str | None
    name: str
    kind: str | None
    version: str | None
    parent_id: str | None
    queued_at: datetime | None
    started_at: datetime | None
    params: str | None
    emitted: str | None
    attempt: int | None
    log: str | None
    partition: str | None
    nominal_start: datetime | None
    nominal_end: datetime | None
    trigger: str | None
    firing: str | None


@bound
def get_bounds(tx: Transaction) -> Bounds: ...


@bound
def settle_numbers(tx: Transaction, *, limit: int) -> Numbered: ...


@bound
def list_changes(tx: Transaction, *, after: int, until: int) -> list[ChangeRow]: ...


@bound
def delete_old(tx: Transaction, *, age: timedelta, limit: int, now: datetime | None) -> int: ...
