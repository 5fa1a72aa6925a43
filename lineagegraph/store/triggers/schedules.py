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
    """A pipeline or a task; a task of a pipeline starts only with the pipeline.

    `is_gone` if it was deleted, or is in no file any more.
    """

    key: str
    namespace: str
    application: str
    name: str
    kind: str
    can_start: bool
    is_gone: bool


class ScheduleRow(msgspec.Struct, frozen=True):
    """A trigger and the program that it starts; `rule` is its JSON, `origin` its author."""

    id: str  # id of the trigger
    name: str  # name of the trigger
    namespace: str  # namespace of the job that it starts
    application: str  # project that defines that job; empty for none
    job_key: str  # key of that job
    program: str  # full name of that job
    rule: str  # the rule as JSON text
    enabled: bool  # whether it fires; False if suspended
    origin: str  # author of the rule: `definition`, `schedule` or `request`
    updated_at: datetime  # time at which it was last enabled, else suspended, else created


class Watching(msgspec.Struct, frozen=True):
    """A condition of a trigger that watches a job."""

    trigger_id: str
    condition_id: str
    job: str


class ScheduledTime(msgspec.Struct, frozen=True):
    """When a condition of a schedule comes next: by cron, or every so many seconds.

    The dates are those of the pipeline that it starts.
    """

    name: str  # name of the trigger
    cron: str | None  # cron expression; None for an interval
    zone: str | None  # time zone of the cron expression; None for an interval
    span: float | None  # seconds of the interval; None for cron
    next_at: datetime  # next time
    enabled_at: datetime  # time at which the trigger was enabled
    start_date: datetime | None  # first time at which its schedules count; None for no limit
    end_date: datetime | None  # last time at which its schedules count; None for no limit


class UpcomingRow(msgspec.Struct, frozen=True):
    """A schedule that comes soon."""

    trigger_id: str  # id of its trigger
    trigger_name: str | None  # the trigger's name; None without one
    job: str  # full name of the job that it starts
    cron: str | None  # cron expression; None for an interval
    zone: str | None  # time zone of the expression
    span: float | None  # seconds from one time to the next; None with an expression
    next_at: datetime  # its next time
    start_date: datetime | None  # earliest time of the pipeline; None for no limit
    end_date: datetime | None  # latest time of the pipeline; None for no limit


@bound
def list_upcoming(tx: Transaction, *, until: datetime, limit: int) -> list[UpcomingRow]: ...


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
def list_ids(tx: Transaction) -> list[str]: ...


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
