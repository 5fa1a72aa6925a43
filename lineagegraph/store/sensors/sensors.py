"""Sensors and the waits of runs for them."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class KnownSensor(msgspec.Struct, frozen=True):
    """A sensor, with a reason if each wait pokes it itself."""

    exclusive_reason: str | None


class SensorWaitRow(msgspec.Struct, frozen=True):
    """How a wait stands."""

    sensor_id: str  # id of the sensor
    state: str  # state of the wait, such as smart_pending or up_for_retry
    outcome: str | None  # outcome of the wait; None while it is open
    message: str | None  # outcome or last failure in words; None before either
    began_at: datetime  # start of the wait
    deadline: datetime  # time at which all attempts are over
    is_late: bool  # whether it was settled by its deadline
    value: str | None  # JSON text of the values of the answer; None without any
    asked: str | None  # id of the sensor as a deferred task stated it; None for other waits


class SensingRow(msgspec.Struct, frozen=True):
    """A sensor for the sensor process; without an interval it has no demand.

    `fields` is JSON text, `newest` the start of its latest wait.
    """

    id: str  # id of the sensor
    kind: str  # kind of the sensor
    fields: str  # poke fields as JSON text
    shard: int  # number of its shard
    interval: float | None  # seconds between two pokes; None if nothing needs it
    backoff: float  # factor of the interval after each poke that is not true
    longest: float  # most seconds that the interval grows to
    watched_at: datetime | None  # since when the newest trigger watches it; None without one
    changed_at: datetime | None  # when its answer changed last; None before the first
    newest: datetime | None  # start of the latest open wait; None without one
    is_watched: bool  # whether an enabled trigger watches it
    poked_at: datetime | None  # start of the last poke; None before the first
    is_true: bool | None  # last answer; None before the first
    errors: int  # failed pokes since the last answer
    breaks: int  # pokes since the last answer that took too long
    exclusive_reason: str | None  # reason why each wait pokes it itself; None if it is shared
    cursor: str | None  # JSON text of its cursor; None before the first
    cursor_number: int  # how often the cursor was set


class ClaimedWait(msgspec.Struct, frozen=True):
    """A wait that is about to change; a standalone one is not a part of an executed run."""

    run_id: str  # id of the run that waits
    root_id: str  # id of the executed run that contains it, or its own if there is none
    sensor_id: str  # id of the sensor
    namespace: str  # namespace that the run's producer gives it
    name: str  # name that the run's producer gives it
    attempt: int  # number of the attempt, from 1
    is_alone: bool  # whether the run is not a part of an executed one
    on_failure: str | None  # callback of a failure as `module:function`; None without one


class MetWait(ClaimedWait, frozen=True):
    """A wait that a poke ended."""

    state: str  # success, skipped or failed
    message: str  # outcome in words
    known_attempt: int  # number of the attempt that was known before
    span: float  # seconds of one attempt
    retries: int  # attempts after the first one
    on_retry: str | None  # callback of a new attempt as `module:function`; None without one
    on_success: str | None  # callback of a success as `module:function`; None without one
    now: str  # time of the end in ISO 8601, by the database's clock


class DueAttempt(msgspec.Struct, frozen=True):
    """A run with a wait that may be over, and the shard of its sensor."""

    run_id: str
    shard: int


class OverAttempt(ClaimedWait, frozen=True):
    """A wait with an attempt that is over."""

    began_at: datetime  # start of the wait
    timeout: float  # seconds of one attempt
    # seconds of one attempt; the shorter one counts, None for no such limit
    execution_timeout: float | None
    retries: int  # attempts after the first one
    soft_fail: bool  # whether a timeout ends as SKIPPED
    error: str | None  # error of the sensor's last poke; None if it answered
    on_retry: str | None  # callback of a new attempt as `module:function`; None without one
    now: datetime  # time by the database's clock


class DueAnswer(msgspec.Struct, frozen=True):
    """A sensor to which the graph has an answer.

    It is for waits that began before `at`, or all if that is None; `ended` has the state of a run
    that can no longer come to an awaited one.
    """

    id: str
    shard: int
    at: datetime | None = None
    ended: str | None = None


class Turned(msgspec.Struct, frozen=True):
    """A condition of a trigger whose sensor was found true, and was not before; `at` is when.

    `value` is the JSON text of what the poke found, which began at `began_at`.
    """

    trigger_id: str
    condition_id: str
    sensor_id: str
    began_at: datetime
    value: str | None
    at: datetime


class SettledPoke(msgspec.Struct, frozen=True):
    """A sensor whose latest poke was stored, and whether freshness terms watch it."""

    id: str
    is_judged: bool


class Taker(msgspec.Struct, frozen=True):
    """A condition of a trigger that takes new items of a sensor; `at` is when."""

    trigger_id: str
    condition_id: str
    sensor_id: str
    at: datetime


class SensorCursor(msgspec.Struct, frozen=True):
    """A sensor with a cursor; `fields` is JSON text."""

    id: str
    kind: str
    fields: str


class SettledWait(msgspec.Struct, frozen=True):
    """How the wait of a run came out."""

    run_id: str
    sensor_id: str
    outcome: str
    message: str | None
    attempt: int


class Demand(msgspec.Struct, frozen=True):
    """Whether a sensor is still poked."""

    id: str
    is_kept: bool


class WokenWaiter(msgspec.Struct, frozen=True):
    """A run with a task that continues, and the nudge address of its process."""

    root_id: str
    address: str | None


class PlacedSensor(msgspec.Struct, frozen=True):
    """A sensor and its shard."""

    id: str
    shard: int


@bound
def merge_sensor(
    tx: Transaction,
    *,
    id: str,
    kind: str,
    fields: str,
    shard: int,
    subject: dict[str, Any],
    from_graph: bool,
    code_only: bool,
    now: datetime | None,
) -> KnownSensor: ...


@bound
def link_wait(
    tx: Transaction,
    *,
    run_id: str,
    root_id: str,
    id: str,
    asked: str | None,
    terms: dict[str, Any],
    attempt: timedelta,
    total: timedelta,
    now: datetime | None,
) -> SensorWaitRow | None: ...


@bound
def get_wait(tx: Transaction, *, run_id: str) -> SensorWaitRow | None: ...


@bound
def list_settled(tx: Transaction, *, ids: list[str]) -> list[SettledWait]: ...


@bound
def list_sensing(
    tx: Transaction, *, shards: list[int], since: datetime | None
) -> list[SensingRow]: ...


@bound
def due_taken(tx: Transaction, *, shards: list[int]) -> list[str]: ...


@bound
def settle_taken(tx: Transaction, *, ids: list[str]) -> None: ...


@bound
def settle_pokes(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[SettledPoke]: ...


@bound
def settle_met(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[MetWait]: ...


@bound
def due_attempts(
    tx: Transaction, *, shards: list[int], most: int, now: datetime | None
) -> list[DueAttempt]: ...


@bound
def claim_attempts(
    tx: Transaction, *, run_ids: list[str], now: datetime | None
) -> list[OverAttempt]: ...


@bound
def settle_attempts(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def settle_ended(
    tx: Transaction,
    *,
    run_ids: list[str],
    only_ended: bool,
    why: str | None,
    now: datetime | None,
) -> list[str]: ...


@bound
def settle_demand(tx: Transaction, *, ids: list[str], now: datetime | None) -> list[Demand]: ...


@bound
def settle_roots(tx: Transaction, *, ids: list[str], now: datetime | None) -> list[WokenWaiter]: ...


@bound
def set_exclusive(
    tx: Transaction, *, id: str, reason: str | None, now: datetime | None
) -> None: ...


@bound
def settle_exclusive(tx: Transaction, *, id: str) -> list[str]: ...


@bound
def delete_idle(
    tx: Transaction, *, age: timedelta, cursor_age: timedelta, most: int, now: datetime | None
) -> int: ...


@bound
def list_shards(tx: Transaction) -> list[PlacedSensor]: ...


@bound
def list_watched(tx: Transaction) -> list[str]: ...


@bound
def list_watched_by(tx: Transaction, *, trigger_id: str) -> list[str]: ...


@bound
def set_shards(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def due_turned(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[str]: ...


@bound
def settle_turned(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[Turned]: ...


@bound
def due_items(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[str]: ...


@bound
def claim_cursors(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[Taker]: ...


@bound
def list_cursors(tx: Transaction, *, ids: list[str]) -> list[SensorCursor]: ...


@bound
def settle_cursors(
    tx: Transaction, *, trigger_id: str, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def get_cursor(tx: Transaction, *, id: str) -> str | None: ...


@bound
def set_cursor(tx: Transaction, *, id: str, cursor: str | None, now: datetime | None) -> None: ...


@bound
def get_heard(tx: Transaction, *, since: datetime) -> bool | None: ...


@bound
def due_datasets(
    tx: Transaction, *, shards: list[int], since: datetime | None
) -> list[DueAnswer]: ...


@bound
def due_runs(tx: Transaction, *, shards: list[int], since: datetime | None) -> list[DueAnswer]: ...


@bound
def due_times(tx: Transaction, *, shards: list[int], now: datetime | None) -> list[DueAnswer]: ...


@bound
def set_answered(tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None) -> None: ...


@bound
def get_reason(tx: Transaction, *, id: str) -> str | None: ...
