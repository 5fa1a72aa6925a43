"""The outbox: notifications by channel, with their progress."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState


class ChangedRun(msgspec.Struct, frozen=True):
    """A run for a notification."""

    id: str  # id of the run
    state: RunState  # state that it reached
    namespace: str  # namespace of its job
    job: str  # full name of its job
    at: datetime  # time of the change
    reason: str | None  # reason of its state; None without one
    message: str | None  # explanation of its state, or its error; None without one
    is_top: bool  # whether it has no parent


class RunJob(msgspec.Struct, frozen=True):
    """The job of a run whose attempt failed."""

    id: str  # id of the run
    namespace: str
    job: str  # full name


class OverdueRun(msgspec.Struct, frozen=True):
    """A run that takes too long, or waits too long for a worker."""

    id: str  # id of the run
    namespace: str  # namespace of its job
    job: str  # full name of its job
    since: datetime  # its start, or the time at which it was queued
    seconds: float  # how long ago that is
    longest: float | None  # duration of the longest completed run compared; None while queued
    is_top: bool  # whether it has no parent


class OwnedName(msgspec.Struct, frozen=True):
    """A job or dataset with the JSON of the facet `ownership` that holds for it."""

    namespace: str
    name: str
    facet: str


class UntoldJob(msgspec.Struct, frozen=True):
    """A job of which firings in a state have no notification."""

    job_key: str
    namespace: str
    job: str
    state: str


class UntoldFiring(msgspec.Struct, frozen=True):
    """A firing for a notification."""

    key: str
    state: str
    namespace: str
    job: str
    at: datetime
    reason: str | None
    message: str | None


class ClaimedNotification(msgspec.Struct, frozen=True):
    """A notification that a process took to send; `attempts` counts this one too."""

    key: str  # key of the notification
    type: str  # kind of subject and occasion, such as `run.failed`
    subject: str  # id or key of the run, firing, job, dataset or cluster
    namespace: str  # namespace of the job or dataset
    job: str  # full name of the job, or name of the dataset
    at: datetime  # time of the notified change
    reason: str | None  # reason of the change; None without one
    message: str | None  # explanation for people; None without one
    owners: list[str] | None  # owners of the job or dataset; None without any
    attempt: int | None  # number of the failed attempt of a task; None for other changes
    next_attempt: datetime | None  # time of the one after it
    attempts: int  # sends that were tried, with this one


class NotificationRow(msgspec.Struct, frozen=True):
    """A notification and how far it got."""

    key: str  # key of the notification
    channel: str  # name of the channel, which does not reveal its address
    type: str  # kind of subject and occasion, such as `run.failed`
    subject: str  # id or key of the run, firing, job, dataset or cluster
    namespace: str  # namespace of the job or dataset
    job: str  # full name of the job, or name of the dataset
    at: datetime  # time of the notified change
    reason: str | None  # reason of the change; None without one
    message: str | None  # explanation for people; None without one
    state: str  # PENDING, SENT, or DEAD after the last attempt
    attempts: int  # sends that were tried
    created_at: datetime  # time at which it was queued
    # time of the next attempt while it is PENDING; None after a failed last one
    next_at: datetime | None
    sent_at: datetime | None  # time of the successful send; None before it
    error: str | None  # error of the last failed attempt; None without one


@bound
def list_runs(
    tx: Transaction,
    *,
    rows: list[dict[str, Any]],
    states: list[str],
    max_event_age: timedelta,
    now: datetime | None,
) -> list[ChangedRun]: ...


@bound
def list_retried(
    tx: Transaction, *, rows: list[dict[str, Any]], max_event_age: timedelta, now: datetime | None
) -> list[RunJob]: ...


@bound
def list_slow(
    tx: Transaction,
    *,
    slow_after: timedelta,
    slow_factor: float,
    compared: int,
    least: int,
    now: datetime | None,
) -> list[OverdueRun]: ...


@bound
def list_late(
    tx: Transaction, *, late_after: timedelta, now: datetime | None
) -> list[OverdueRun]: ...


@bound
def list_owners(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[OwnedName]: ...


@bound
def list_untold(tx: Transaction, *, states: list[str]) -> list[UntoldJob]: ...


@bound
def claim_untold(
    tx: Transaction,
    *,
    taken: list[list[str]],
    limit: int,
    max_event_age: timedelta,
    now: datetime | None,
) -> list[UntoldFiring]: ...


@bound
def merge_notifications(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def claim_notification(
    tx: Transaction, *, channel: str, claim: str, lease: timedelta, now: datetime | None
) -> ClaimedNotification | None: ...


@bound
def settle_sent(tx: Transaction, *, key: str, claim: str, now: datetime | None) -> None: ...


@bound
def settle_failed(
    tx: Transaction,
    *,
    key: str,
    claim: str,
    error: str,
    pause: timedelta | None,
    now: datetime | None,
) -> None: ...


@bound
def settle_stranded(
    tx: Transaction, *, known: list[str], age: timedelta, error: str, now: datetime | None
) -> int: ...


@bound
def delete_old(tx: Transaction, *, age: timedelta, limit: int, now: datetime | None) -> int: ...


@bound
def list_notifications(tx: Transaction, *, limit: int) -> list[NotificationRow]: ...
