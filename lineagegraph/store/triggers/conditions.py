"""Conditions of triggers."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class WatchedJob(msgspec.Struct, frozen=True):
    """A job whose end, or whose product, a trigger waits for."""

    trigger_id: str
    key: str


class SensorLink(msgspec.Struct, frozen=True):
    """A condition, and the sensor that it watches."""

    condition_id: str
    sensor_id: str


class Stub(msgspec.Struct, frozen=True):
    """A job or dataset that is known only by the conditions that name it."""

    key: str
    is_dataset: bool


class UnknownJob(msgspec.Struct, frozen=True):
    """A job that a trigger watches and that nobody defined or reported yet."""

    starts: str
    trigger: str | None
    namespace: str
    name: str


@bound
def delete_conditions(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def merge_conditions(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def link_operands(tx: Transaction, *, rows: list[dict[str, Any]]) -> None: ...


@bound
def link_jobs(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def link_datasets(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def list_sensor_links(tx: Transaction, *, trigger_id: str) -> list[SensorLink]: ...


@bound
def link_sensors(tx: Transaction, *, rows: list[dict[str, str]]) -> None: ...


@bound
def list_stubs(tx: Transaction, *, ids: list[str]) -> list[Stub]: ...


@bound
def delete_datasets(tx: Transaction, *, keys: list[str]) -> None: ...


@bound
def list_watched(tx: Transaction, *, ids: list[str]) -> list[WatchedJob]: ...


@bound
def list_unknown(tx: Transaction, *, keys: list[str]) -> list[UnknownJob]: ...
