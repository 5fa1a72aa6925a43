"""Pools: slots that tasks of all pipelines share, and the tasks that hold or wait for them."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class PoolRow(msgspec.Struct, frozen=True):
    """A pool, the number of its slots that are taken, and of the tasks that wait."""

    name: str
    slots: int
    taken: int
    waiting: int


class PoolSize(msgspec.Struct, frozen=True):
    """The number of slots of a pool."""

    name: str
    slots: int


class PoolClaimRow(msgspec.Struct, frozen=True):
    """A task that holds or waits for slots of a pool."""

    run_id: str  # id of the task's run
    root_id: str  # id of the pipeline's run
    job: str | None  # full name of the task; None if its job was deleted
    slots: int  # number of slots
    priority: int  # rank in the queue, the highest first
    since: datetime  # when it first asked
    taken_at: datetime | None  # when it got them; None while it waits


class SlotsRow(msgspec.Struct, frozen=True):
    """Whether a task got its slots, with the slots of the pool and those that others hold."""

    is_taken: bool
    slots: int
    taken: int


class WaitingClaim(msgspec.Struct, frozen=True):
    """A waiting task that is to ask again, and the address of its run's worker."""

    run_id: str
    root_id: str
    is_parked: bool
    address: str | None


@bound
def merge_pool(tx: Transaction, *, name: str, slots: int) -> None: ...


@bound
def delete_pool(tx: Transaction, *, name: str) -> bool | None: ...


@bound
def list_pools(tx: Transaction) -> list[PoolRow]: ...


@bound
def list_sizes(tx: Transaction, *, names: list[str]) -> list[PoolSize]: ...


@bound
def list_claims(tx: Transaction, *, pool: str) -> list[PoolClaimRow]: ...


@bound
def claim_slots(
    tx: Transaction,
    *,
    pool: str,
    run_id: str,
    root_id: str,
    job_key: str,
    fence: int,
    slots: int,
    priority: int,
    now: datetime | None,
) -> SlotsRow | None: ...


@bound
def due_claims(tx: Transaction, *, now: datetime | None) -> list[WaitingClaim]: ...


@bound
def settle_woken(
    tx: Transaction, *, rows: list[dict[str, Any]], term: timedelta, now: datetime | None
) -> None: ...


@bound
def set_held_back(tx: Transaction, *, run_id: str) -> None: ...


@bound
def release_claims(tx: Transaction, *, run_ids: list[str]) -> None: ...
