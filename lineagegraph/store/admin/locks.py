"""Locks of work that one process at a time does."""

from datetime import datetime, timedelta

from lineagegraph.graph import Transaction, bound


@bound
def claim_lock(
    tx: Transaction, *, name: str, owner: str, holder: str, term: timedelta, now: datetime | None
) -> str | None: ...


@bound
def get_holder(tx: Transaction, *, name: str) -> str | None: ...


@bound
def set_reading(tx: Transaction, *, name: str, owner: str) -> None: ...


@bound
def get_reading(tx: Transaction, *, name: str, owner: str) -> datetime | None: ...


@bound
def release_lock(tx: Transaction, *, name: str, owner: str) -> None: ...
