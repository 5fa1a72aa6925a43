"""Schedules: triggers as CDAP names them, in the application of their program."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.triggers.firings import Limit


class Application(msgspec.Struct, frozen=True):
    """A project that was synced; whether one of its pipelines has the version asked for."""

    name: str
    has_version: bool


class Program(msgspec.Struct, frozen=True):
    """A pipeline or a task; a task of a pipeline starts only with the pipeline."""

    key: str
    namespace: str
    application: str
    name: str
    kind: str
    can_start: bool


class ScheduleRow(msgspec.Struct, frozen=True):
    """A trigger and the program that it starts; `rule` is its JSON, `origin` its author."""

    id: str
    name: str
    namespace: str
    application: str
    job_key: str
    program: str
    rule: str
    enabled: bool
    origin: str
    updated_at: datetime


class Watching(msgspec.Struct, frozen=True):
    """A condition of a trigger that watches a job."""

    trigger_id: str
    condition_id: str


class ScheduledTime(msgspec.Struct, frozen=True):
    """When a condition of a schedule comes next: by cron, or every so many seconds.

    The dates are those of the pipeline that it starts.
    """

    name: str
    cron: str | None
    zone: str | None
    span: float | None
    next_at: datetime
    enabled_at: datetime
    start_date: datetime | None
    end_date: datetime | None


@bound
def get_application(
    tx: Transaction, *, namespace: str, application: str, version: str
) -> Application | None: ...


@bound
def get_version(tx: Transaction, *, key: str, version: str) -> str | None: ...


@bound
def list_programs(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[Program]: ...


@bound
def claim_names(tx: Transaction, *, namespace: str, application: str) -> None: ...


@bound
def claim_schedules(tx: Transaction, *, ids: list[str]) -> None: ...


@bound
def list_ids_named(
    tx: Transaction, *, namespace: str, application: str, name: str
) -> list[str]: ...


@bound
def list_ids_in_application(tx: Transaction, *, namespace: str, application: str) -> list[str]: ...


@bound
def list_ids_set_off(tx: Transaction, *, key: str, statuses: list[str]) -> list[str]: ...


@bound
def list_ids_suspended(
    tx: Transaction, *, namespace: str, since: datetime, until: datetime, most: int
) -> list[str]: ...


@bound
def list_schedules(tx: Transaction, *, ids: list[str]) -> list[ScheduleRow]: ...


@bound
def list_times(tx: Transaction, *, ids: list[str]) -> list[ScheduledTime]: ...


@bound
def set_maker(
    tx: Transaction, *, id: str, anew: bool, token: str | None, reads: list[str]
) -> None: ...


@bound
def list_lacking(tx: Transaction, *, key: str) -> list[Limit]: ...


@bound
def list_watching(tx: Transaction, *, key: str) -> list[Watching]: ...
