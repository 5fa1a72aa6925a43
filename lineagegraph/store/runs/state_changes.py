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

    number: int  # number in the order of recording, without gaps
    run_id: str  # id of the run
    state: RunState  # state that it reached
    at: datetime  # time of the change, as its events report it
    recorded_at: datetime  # time at which it was stored, by the database's clock
    reason: str | None  # reason of the state, such as LOST; None without one
    message: str | None  # explanation of the state for people; None without one
    namespace: str  # namespace of the run's job
    top_namespace: str  # namespace of the topmost job above it
    application: str | None  # project that defines the job; None for others
    name: str  # full name of the job
    kind: str | None  # kind of the run or its job; None if unknown
    version: str | None  # hash of the pipeline version that it reported; None for others
    parent_id: str | None  # id of the run above it; None at the top
    queued_at: datetime | None  # time at which it was queued; None for runs of other producers
    started_at: datetime | None  # start of the run; None before it
    params: str | None  # JSON text of the run's parameters; None without any
    emitted: str | None  # JSON text of the values that it emitted; None without any
    attempt: int | None  # number of its last attempt, from 1; None if not reported
    log: str | None  # path of its log file; None if not reported
    partition: str | None  # JSON text of its partition; None without one
    nominal_start: datetime | None  # start of its data interval; None without one
    nominal_end: datetime | None  # end of its data interval; None without one
    trigger: str | None  # name of the trigger that started it; None for others
    firing: str | None  # key of the firing that started it; None for others


@bound
def get_bounds(tx: Transaction) -> Bounds: ...


@bound
def settle_numbers(tx: Transaction, *, limit: int) -> Numbered: ...


@bound
def list_changes(tx: Transaction, *, after: int, until: int) -> list[ChangeRow]: ...


@bound
def delete_old(tx: Transaction, *, age: timedelta, limit: int, now: datetime | None) -> int: ...
