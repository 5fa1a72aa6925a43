"""Sensors for people: their waits, and the process that pokes them."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class SensorRow(msgspec.Struct, frozen=True):
    """A sensor; `fields` is JSON text, `interval` in seconds, `is_true` as of the last answer."""

    id: str
    kind: str
    fields: str
    shard: int
    created_at: datetime | None
    interval: float | None
    poked_at: datetime | None
    is_true: bool | None
    changed_at: datetime | None
    errors: int
    error: str | None
    exclusive_reason: str | None
    waits: int
    watches: int


class SensorWait(msgspec.Struct, frozen=True):
    """A run that waits or waited for a sensor, and on which terms; times in seconds."""

    sensor_id: str
    run_id: str
    root_id: str | None
    job_key: str | None
    namespace: str | None
    job: str | None
    simple_name: str | None
    state: str
    mode: str | None
    poke_interval: float | None
    timeout: float | None
    execution_timeout: float | None
    retries: int
    soft_fail: bool
    began_at: datetime | None
    attempt: int
    attempt_ends_at: datetime | None
    deadline: datetime | None
    outcome: str | None
    settled_at: datetime | None
    message: str | None
    log: list[str]


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
def list_waits_of(tx: Transaction, *, run_ids: list[str], limit: int) -> list[SensorWait]: ...


@bound
def list_watchers(tx: Transaction, *, id: str) -> list[SensorWatcher]: ...


@bound
def get_code(tx: Transaction, *, run_id: str) -> WaitCode | None: ...


@bound
def get_holder(tx: Transaction, *, shard: int, now: datetime | None) -> Holder | None: ...
