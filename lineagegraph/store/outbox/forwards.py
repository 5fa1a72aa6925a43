"""Forwarding targets and their queues."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class ClaimedTarget(msgspec.Struct, frozen=True):
    """A target that a process took; `attempts` failed since something arrived there."""

    attempts: int


class WaitingEvent(msgspec.Struct, frozen=True):
    """An event that waits for a target, with the hashes of its facets."""

    key: str
    body: str | None


class TargetRow(msgspec.Struct, frozen=True):
    """A target, and how far behind it is."""

    name: str  # name of the target
    send: str  # `own` for events of runs executed here, `all` for received ones too
    waiting: int  # events in its queue
    oldest_at: datetime | None  # time at which the oldest of these was queued; None if none waits
    sent: int  # events sent so far
    sent_at: datetime | None  # time of the last successful send; None if there was none
    refused: int  # events that it refused
    dropped: int  # events deleted from its queue before they were sent
    failing_since: datetime | None  # first failure since the last success; None if it works
    next_at: datetime | None  # time of the next try after a failure; None without one
    error: str | None  # error of the last failure; None if it works
    seen_at: datetime  # time at which a daemon last registered it


class RefusedEvent(msgspec.Struct, frozen=True):
    """An event that a target did not take, and never will as it is."""

    target: str
    event_id: str
    refused_at: datetime
    error: str


@bound
def merge_targets(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[str]: ...


@bound
def merge_forwardings(tx: Transaction, *, rows: list[dict[str, Any]], own: bool) -> None: ...


@bound
def claim_target(
    tx: Transaction,
    *,
    name: str,
    claim: str,
    lease: timedelta,
    longest: timedelta,
    now: datetime | None,
) -> ClaimedTarget | None: ...


@bound
def list_waiting(tx: Transaction, *, name: str, limit: int) -> list[WaitingEvent]: ...


@bound
def settle_sent(
    tx: Transaction, *, name: str, claim: str, sent: list[str], now: datetime | None
) -> bool | None: ...


@bound
def settle_refused(
    tx: Transaction, *, name: str, claim: str, key: str, error: str, now: datetime | None
) -> None: ...


@bound
def settle_failed(
    tx: Transaction, *, name: str, claim: str, error: str, pause: timedelta, now: datetime | None
) -> None: ...


@bound
def release_target(tx: Transaction, *, name: str, claim: str) -> None: ...


@bound
def list_targets(tx: Transaction) -> list[TargetRow]: ...


@bound
def list_refused(tx: Transaction, *, limit: int) -> list[RefusedEvent]: ...


@bound
def list_unseen(tx: Transaction, *, age: timedelta, now: datetime | None) -> list[str]: ...


@bound
def claim_unseen(
    tx: Transaction, *, name: str, age: timedelta, now: datetime | None
) -> str | None: ...


@bound
def set_redriven(tx: Transaction, *, name: str) -> int: ...


@bound
def count_forwardings(tx: Transaction, *, waits: bool) -> int: ...


@bound
def delete_oldest(tx: Transaction, *, waits: bool, limit: int) -> int: ...


@bound
def delete_target(tx: Transaction, *, name: str) -> int: ...


@bound
def delete_queued(tx: Transaction, *, name: str, limit: int) -> int: ...
