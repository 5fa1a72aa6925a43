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

    job_key: str  # key of the awaited job
    kind: str  # PARENT or SAME_TASK
    freshness: str | None  # terms as JSON text; None for SAME_TASK
    parts: list[str] | None  # parts of the partition as `"name":"text"`; None if not stored
    submitted_at: datetime | None  # request time of the waiting runs; None for shared tasks
    is_free: bool  # whether no run holds the lease of the task
    waits: list[tuple[str, str]]  # id of each waiting run, and when its check was due
    now: datetime  # time of the check, by the database's clock


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
