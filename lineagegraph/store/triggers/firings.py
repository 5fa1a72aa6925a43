"""Firings: the decisions of triggers, and their outcomes."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class ClaimedFiring(msgspec.Struct, frozen=True):
    """A new firing; `turns` are those of its trigger with the same root, up to a maximum."""

    key: str
    trigger_id: str
    turns: int


class ChainedFiring(msgspec.Struct, frozen=True):
    """A firing of a chain: its trigger, and the job that it starts."""

    trigger_id: str
    job: str


class Payload(msgspec.Struct, frozen=True):
    """The payload of one consumed occurrence; `params` and `emitted` are JSON."""

    key: str  # key of the firing
    condition_id: str  # id of the condition that counted the occurrence
    job: str | None  # full name of the run's job; None for events and times
    simple_name: str | None  # last part of that name; None for events and times
    subject: str | None  # id of the run, event or condition; None if unknown
    status: str | None  # state of the run, or the kind of occurrence; None if unknown
    occurred_at: datetime  # time of the occurrence
    params: str | None  # JSON text of the run's parameters or the event's payload; None without any
    emitted: str | None  # JSON text of the values that the run emitted; None without any
    # JSON text of the values of standard facets of the run; None without any
    reported: str | None = None


class Limit(msgspec.Struct, frozen=True):
    """A constraint that keeps a firing back, until a time at least."""

    kind: str
    otherwise: str
    text: str
    until: datetime | None


class StoredTimeRange(msgspec.Struct, frozen=True):
    """A time range of a firing's trigger, its times of day as ISO 8601, and the time now."""

    start: str
    end: str
    zone: str
    otherwise: str
    now: datetime


class DueHeld(msgspec.Struct, frozen=True):
    """A firing that is kept back, to be asked about again."""

    key: str
    expired: bool


class DueRerun(msgspec.Struct, frozen=True):
    """A run that failed and is to be started again, so many seconds later."""

    key: str
    trigger_id: str
    run_id: str
    params: str | None
    delay: float


class DueFiring(msgspec.Struct, frozen=True):
    """The data of a firing to start its run; `rule` is JSON."""

    key: str
    trigger_id: str
    rule: str | None
    reason: str
    limited: bool
    mapped: bool


class WaitingFiring(msgspec.Struct, frozen=True):
    """A firing that has not become a run, and why."""

    key: str  # key of the firing
    state: str  # HELD, ABORTED, EXPIRED or DEAD_LETTER
    value: str | None  # correlation value of its cell; None without one
    fired_at: datetime  # time of the decision
    reason: str | None  # its occurrences in words, or `started by hand`; None if unknown
    kept_back: str | None  # limit or error that kept it from starting, in words; None without one
    held_until: datetime | None  # earliest time at which it may start; None if unknown
    expires_at: datetime | None  # time at which a held firing expires; None for never

    @property
    def is_dead(self) -> bool:
        """Whether it is a dead letter: its run could not be started."""
        return self.state == "DEAD_LETTER"


class DeadLetter(msgspec.Struct, frozen=True):
    """A firing that was given up: what it fired for, and why its run could not start."""

    key: str
    trigger_id: str
    trigger_name: str | None
    job: str | None
    at: datetime
    reason: str | None
    kept_back: str | None


class DeadTrigger(msgspec.Struct, frozen=True):
    """A trigger with firings that were given up: their number, and the time of the newest."""

    id: str
    name: str
    job: str
    count: int
    at: datetime


@bound
def list_dead_triggers(tx: Transaction) -> list[DeadTrigger]: ...


@bound
def list_dead(tx: Transaction, *, limit: int) -> list[DeadLetter]: ...


@bound
def claim_firings(
    tx: Transaction, *, rows: list[dict[str, Any]], most: int, now: datetime | None
) -> list[ClaimedFiring]: ...


@bound
def walk_chain(tx: Transaction, *, key: str, limit: int) -> list[ChainedFiring]: ...


@bound
def list_payloads(tx: Transaction, *, keys: list[str]) -> list[Payload]: ...


@bound
def claim_jobs(tx: Transaction, *, keys: list[str]) -> list[DueFiring]: ...


@bound
def list_limits(tx: Transaction, *, key: str, now: datetime | None) -> list[Limit]: ...


@bound
def list_time_ranges(
    tx: Transaction, *, key: str, now: datetime | None
) -> list[StoredTimeRange]: ...


@bound
def set_states(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def merge_runs(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def due_held(tx: Transaction, *, most: int, now: datetime | None) -> list[DueHeld]: ...


@bound
def due_reruns(tx: Transaction, *, run_ids: list[str]) -> list[DueRerun]: ...


@bound
def list_waiting(tx: Transaction, *, trigger_id: str, limit: int) -> list[WaitingFiring]: ...


@bound
def list_redrivable(
    tx: Transaction, *, trigger_id: str, chosen: list[str], limit: int
) -> list[str]: ...


@bound
def merge_by_hand(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> int: ...


@bound
def set_redriven(tx: Transaction, *, keys: list[str]) -> list[str]: ...
