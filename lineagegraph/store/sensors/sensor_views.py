"""Sensors for people: their waits, and the process that pokes them."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class SensorRow(msgspec.Struct, frozen=True):
    """A sensor; `fields` is JSON text, `interval` in seconds, `is_true` as of the last answer."""

    id: str  # id of the sensor
    kind: str  # kind of the sensor
    fields: str  # poke fields as JSON text
    shard: int  # number of its shard
    created_at: datetime | None  # time at which it was stored; None if unknown
    interval: float | None  # seconds between two pokes; None if nothing needs it
    poke_backoff: float  # factor of the interval after each poke that is not true
    max_poke_interval: float  # most seconds that the interval grows to
    poked_at: datetime | None  # start of the last poke; None before the first
    is_true: bool | None  # last answer; None before the first
    # time at which the answer last changed; None before the first answer
    changed_at: datetime | None
    errors: int  # failed pokes since the last answer
    error: str | None  # error of the last poke; None if it answered
    exclusive_reason: str | None  # reason why each wait pokes it itself; None if it is shared
    cursor: str | None  # JSON text of the cursor behind its last new items; None without one
    cursor_at: datetime | None  # time at which the cursor was set; None without one
    waits: int  # open waits for it
    watches: int  # conditions of triggers and freshness terms that watch it


class SensorWait(msgspec.Struct, frozen=True):
    """A run that waits or waited for a sensor, and on which terms; times in seconds."""

    sensor_id: str  # id of the sensor
    run_id: str  # id of the run that waits or waited
    root_id: str | None  # id of the executed run that contains it, or its own; None if unknown
    job_key: str | None  # key of the run's job; None without a job
    namespace: str | None  # namespace of the job; None if unknown
    job: str | None  # full name of the job; None if unknown
    simple_name: str | None  # last part of that name; None if unknown
    state: str  # state of the wait, such as smart_pending or up_for_retry
    mode: str | None  # smart (shared) or exclusive; None if not stored
    poke_interval: float | None  # seconds between two pokes; None if not stored
    timeout: float | None  # seconds of one attempt; None if not stored
    # seconds of one attempt; the shorter one counts, None for no such limit
    execution_timeout: float | None
    retries: int  # attempts after the first one
    soft_fail: bool  # whether a timeout ends as SKIPPED
    began_at: datetime | None  # start of the wait; None if unknown
    attempt: int  # number of the attempt, from 1
    attempt_ends_at: datetime | None  # time at which the attempt is over; None after the end
    deadline: datetime | None  # time at which all attempts are over; None if unknown
    outcome: str | None  # outcome of the wait; None while it is open
    settled_at: datetime | None  # time of the outcome; None before it
    message: str | None  # outcome or last failure in words; None before either
    log: list[str]  # a line for each attempt and callback


class PastArrival(msgspec.Struct, frozen=True):
    """The answer that ended a past wait; with `was_there` the first poke was true already."""

    began_at: datetime
    came_at: datetime
    was_there: bool


class SensorWatcher(msgspec.Struct, frozen=True):
    """A trigger that watches a sensor."""

    id: str
    name: str | None
    enabled: bool
    job_key: str | None
    namespace: str | None
    starts: str | None
    simple_name: str | None


class WaitCode(msgspec.Struct, frozen=True):
    """Packed files by their hash, and the folder of the project that they are of."""

    sha256: str
    root: str | None


class Holder(msgspec.Struct, frozen=True):
    """The process that holds a shard; without `pid` it has been silent for long."""

    id: str
    host: str | None
    pid: int | None
    epoch: int
    lease_until: datetime


@bound
def list_sensors(
    tx: Transaction, *, kind: str | None, offset: int, limit: int
) -> list[SensorRow]: ...


@bound
def get_any(tx: Transaction) -> str | None: ...


@bound
def count_sensors(tx: Transaction, *, kind: str | None) -> int: ...


@bound
def list_starting(tx: Transaction, *, prefix: str) -> list[SensorRow]: ...


@bound
def list_waits(tx: Transaction, *, id: str, limit: int) -> list[SensorWait]: ...


@bound
def list_arrivals(
    tx: Transaction, *, job_key: str, before: datetime, limit: int
) -> list[PastArrival]: ...


@bound
def list_waits_of(tx: Transaction, *, run_ids: list[str], limit: int) -> list[SensorWait]: ...


@bound
def list_watchers(tx: Transaction, *, id: str) -> list[SensorWatcher]: ...


@bound
def get_code(tx: Transaction, *, run_id: str) -> WaitCode | None: ...


@bound
def get_holder(tx: Transaction, *, shard: int, now: datetime | None) -> Holder | None: ...
