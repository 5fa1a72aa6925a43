"""Processes that work on the graph, and their signs of life."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound

DAEMON = "daemon"
SENSORS = "sensors"
ALIVE = timedelta(seconds=15)


class LiveProcess(msgspec.Struct, frozen=True):
    """A process; `address` is that of its nudges, as `host:port`."""

    id: str
    kind: str
    host: str
    pid: int
    address: str | None
    started_at: datetime


class SensingProcess(msgspec.Struct, frozen=True):
    """A sensor process; 19 of 20 of its pokes were late by less than `lag_seconds` lately."""

    id: str  # id of the process
    host: str  # name of its host
    pid: int  # process id on that host
    watched: int  # sensors that it watches
    pokes: int  # pokes since its start
    errors: int  # pokes since its start that failed
    lag_seconds: float  # seconds after the due time within which 95 % of recent pokes began
    round_seconds: float  # seconds of the longest recent round of pokes
    shards: int  # shards that it owns


@bound
def merge_process(
    tx: Transaction,
    *,
    id: str,
    kind: str,
    host: str,
    pid: int,
    address: str | None,
    now: datetime | None,
) -> datetime: ...


@bound
def list_live(
    tx: Transaction, *, kind: str, within: timedelta, now: datetime | None
) -> list[LiveProcess]: ...


@bound
def set_sensing(tx: Transaction, *, id: str, numbers: dict[str, Any]) -> None: ...


@bound
def list_sensing(
    tx: Transaction, *, within: timedelta, now: datetime | None
) -> list[SensingProcess]: ...


@bound
def count_heartbeats(tx: Transaction) -> int: ...


@bound
def delete_process(tx: Transaction, *, id: str) -> None: ...


@bound
def delete_silent(tx: Transaction, *, within: timedelta, now: datetime | None) -> None: ...
