"""Conditions: what must be true before a trigger fires, and what occurred for each."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Cron(msgspec.Struct, frozen=True):
    """A cron condition."""

    id: str
    cron: str
    zone: str


class DueCron(msgspec.Struct, frozen=True):
    """A cron condition whose time has come; `now` is the database's."""

    id: str
    trigger_id: str
    cron: str
    zone: str
    next_at: datetime
    now: datetime


@bound
def delete_conditions(tx: Transaction, *, trigger_id: str, keep: list[str]) -> None: ...


@bound
def merge_conditions(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def link_operands(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def link_root(tx: Transaction, *, trigger_id: str, id: str) -> None: ...


@bound
def link_jobs(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def link_datasets(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def link_statuses(
    tx: Transaction,
    *,
    run_ids: list[str],
    trigger_ids: list[str],
    news: timedelta,
    now: datetime | None,
) -> None: ...


@bound
def link_writes(
    tx: Transaction,
    *,
    run_ids: list[str],
    trigger_ids: list[str],
    news: timedelta,
    now: datetime | None,
) -> None: ...


@bound
def link_crons(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def due_crons(tx: Transaction, *, now: datetime | None) -> list[DueCron]: ...


@bound
def list_crons(tx: Transaction, *, trigger_id: str) -> list[Cron]: ...


@bound
def set_next(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def settle_conditions(tx: Transaction, *, trigger_ids: list[str]) -> None: ...


@bound
def due_statuses(tx: Transaction, *, since: timedelta, now: datetime | None) -> list[str]: ...


@bound
def due_writes(tx: Transaction, *, since: timedelta, now: datetime | None) -> list[str]: ...
