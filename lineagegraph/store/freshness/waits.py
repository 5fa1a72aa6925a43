"""Waits of task runs: their subject, deadline and outcome."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class WaitRow(msgspec.Struct, frozen=True):
    """One wait of a run; `kind` is PARENT or SAME_TASK."""

    job_key: str
    kind: str
    began_at: datetime
    deadline: datetime | None


class DueWait(msgspec.Struct, frozen=True):
    """Waits of several runs for the same; `freshness` is JSON text."""

    job_key: str
    kind: str
    freshness: str | None
    parts: list[str] | None
    submitted_at: datetime | None
    is_free: bool
    run_ids: list[str]
    now: datetime


class Woken(msgspec.Struct, frozen=True):
    """A run with a task that continues, and the nudge address of its process."""

    root_id: str
    address: str | None


@bound
def merge_waits(
    tx: Transaction, *, rows: list[dict[str, Any]], first: timedelta, now: datetime | None
) -> int: ...


@bound
def list_waits(tx: Transaction, *, id: str) -> list[WaitRow]: ...


@bound
def due_waits(tx: Transaction, *, now: datetime | None) -> list[DueWait]: ...


@bound
def settle_waits(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[Woken]: ...


@bound
def list_settled(tx: Transaction, *, ids: list[str]) -> list[str]: ...


@bound
def release_waits(tx: Transaction, *, run_ids: list[str]) -> None: ...
