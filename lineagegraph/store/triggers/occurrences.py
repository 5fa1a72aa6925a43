"""Occurrences for conditions, and the unconsumed ones among them.

Each kind of condition has its `due_` query; all return rows of the same form.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.verdicts import TimedVerdict


class Due(msgspec.Struct, frozen=True):
    """An occurrence and a condition that it concerns.

    `subject` is its kind (`run`, `version`, `event`), `part` the key of distinct occurrences if a
    condition needs several. An event always has its payload; that of a run or version is set
    if the condition has predicates or the trigger correlates by a value.
    """

    trigger_id: str  # id of the trigger
    condition_id: str  # id of the condition
    operator: str  # kind of the condition in capitals, such as STATUS
    predicates: str | None  # payload tests of the condition as JSON text; None without any
    # `partition` or a payload key whose values fire separately; None for neither
    correlate_by: str | None
    subject: str  # kind of subject: `run`, `version` or `event`
    subject_id: str  # id of the run or event, or key of the dataset version
    status: str  # state of the run, WRITTEN, or SAID for an event
    occurred_at: str  # time of the occurrence (ISO 8601)
    part: str | None  # key by which occurrences are told apart if several are needed
    partition: str | None  # partition of the run or version; None without one
    params: str | None  # JSON text of the run's parameters or the event's payload; None without any
    emitted: str | None  # JSON text of the values that the run emitted; None without any
    # JSON text of the values of standard facets of the run; None without any
    reported: str | None = None
    # OpenLineage statistics of the written version, by name; None if it is no version
    written: dict[str, int | None] | None = None
    is_ahead: bool = False  # whether its time is too far in the future to count


class TestedVersion(msgspec.Struct, frozen=True):
    """A dataset version for a condition that asks for quality, with the verdicts about it.

    `due` has the time at which the version was written. `awaited` are the assertions about the
    version before it.
    """

    due: Due
    verdicts: tuple[TimedVerdict, ...]
    awaited: tuple[str, ...]


class DueTime(msgspec.Struct, frozen=True):
    """A condition whose next time has come; `now` is the database's.

    The dates are those of the pipeline that is started.
    """

    trigger_id: str  # id of the trigger
    condition_id: str  # id of the condition
    operator: str  # CRON, INTERVAL or ABSENT
    cron: str | None  # cron expression; None for other kinds
    zone: str | None  # time zone of the cron expression; None for other kinds
    span: float | None  # seconds of the interval or absence; None for cron
    catch_up: str | None  # missed times that count: `all`, `last` or `none`; None as `none`
    next_at: datetime  # due time
    now: datetime  # time of the check, by the database's clock
    start_date: datetime | None = None  # first time at which its schedules count; None for no limit
    end_date: datetime | None = None  # last time at which its schedules count; None for no limit


class DueReset(msgspec.Struct, frozen=True):
    """A trigger to reset."""

    trigger_id: str
    cron: str
    zone: str
    reset_at: datetime
    now: datetime


class TimedCondition(msgspec.Struct, frozen=True):
    """A condition that has a next time."""

    condition_id: str
    operator: str
    cron: str | None
    zone: str | None
    span: float | None
    next_at: datetime | None = None


class FedJob(msgspec.Struct, frozen=True):
    """A job downstream of a run's job."""

    run_id: str
    job_key: str


@bound
def due_statuses(
    tx: Transaction, *, run_ids: list[str], max_event_age: timedelta, now: datetime | None
) -> list[Due]: ...


@bound
def due_writes(
    tx: Transaction, *, run_ids: list[str], max_event_age: timedelta, now: datetime | None
) -> list[Due]: ...


@bound
def due_passes(
    tx: Transaction, *, writers: list[str], judged: list[str]
) -> list[TestedVersion]: ...


@bound
def due_events(
    tx: Transaction, *, ids: list[str], max_event_age: timedelta, now: datetime | None
) -> list[Due]: ...


@bound
def due_upstream(
    tx: Transaction, *, rows: list[dict[str, Any]], max_event_age: timedelta, now: datetime | None
) -> list[Due]: ...


@bound
def list_origins(tx: Transaction, *, run_ids: list[str]) -> list[FedJob]: ...


@bound
def list_fed(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[FedJob]: ...


@bound
def due_times(tx: Transaction, *, now: datetime | None) -> list[DueTime]: ...


@bound
def due_resets(tx: Transaction, *, now: datetime | None) -> list[DueReset]: ...


@bound
def list_timed(tx: Transaction, *, trigger_id: str) -> list[TimedCondition]: ...


@bound
def set_next(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_occurrences(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...


@bound
def settle_fresh(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...


@bound
def settle_present(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def settle_expired(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...
