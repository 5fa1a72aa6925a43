"""Leases: which run of a task may execute it in a partition; all others wait."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction, bound


class LeaseRow(msgspec.Struct, frozen=True):
    """A lease that is locked by this transaction; `run_id` holds it, None: it is free."""

    epoch: int
    job_key: str
    run_id: str | None
    now: datetime


class SharedRow(msgspec.Struct, frozen=True):
    """A run whose outcome others take; `emitted` and `output` are JSON text."""

    run_id: str
    emitted: str | None
    output: str | None


@bound
def claim_lease(tx: Transaction, *, name: str, job_key: str, now: datetime | None) -> LeaseRow: ...


@bound
def get_shared(
    tx: Transaction, *, name: str, within: timedelta, since: datetime | None, now: datetime | None
) -> SharedRow | None: ...


@bound
def set_holder(
    tx: Transaction, *, name: str, run_id: str, root_id: str, fence: int, now: datetime | None
) -> int: ...


@bound
def release_leases(tx: Transaction, *, run_ids: list[str], now: datetime | None) -> None: ...


@bound
def list_held(tx: Transaction, *, id: str) -> list[str]: ...
