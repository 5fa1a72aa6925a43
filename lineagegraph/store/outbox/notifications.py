"""The outbox: notifications by channel, with their progress."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.model.runs.states import RunState


class ChangedRun(msgspec.Struct, frozen=True):
    """A run for a notification."""

    id: str
    state: RunState
    namespace: str
    job: str
    at: datetime
    reason: str | None
    message: str | None
    is_top: bool


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

    key: str
    type: str
    subject: str
    namespace: str
    job: str
    at: datetime
    reason: str | None
    message: str | None
    attempts: int


class NotificationRow(msgspec.Struct, frozen=True):
    """A notification and how far it got."""

    key: str
    channel: str
    type: str
    subject: str
    namespace: str
    job: str
    at: datetime
    reason: str | None
    message: str | None
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime | None
    sent_at: datetime | None
    error: str | None


@bound
def list_runs(
    tx: Transaction,
    *,
    run_ids: list[str],
    states: list[str],
    max_event_age: timedelta,
    now: datetime | None,
) -> list[ChangedRun]: ...


@bound
def claim_untold(
    tx: Transaction, *, limit: int, max_event_age: timedelta, now: datetime | None
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
    tx: Transaction, *, age: timedelta, error: str, now: datetime | None
) -> int: ...


@bound
def delete_old(tx: Transaction, *, age: timedelta, limit: int, now: datetime | None) -> int: ...


@bound
def list_notifications(tx: Transaction, *, limit: int) -> list[NotificationRow]: ...
