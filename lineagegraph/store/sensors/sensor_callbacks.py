"""Callbacks of waits, each called at least once."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Callback(msgspec.Struct, frozen=True):
    """A function to call; `event` is success, failure or retry, `fields` JSON text."""

    id: str  # id of the callback
    event: str  # success, failure or retry
    function: str  # function to call, as `module:function`
    run_id: str  # id of the run that waits or waited
    sensor_id: str  # id of the sensor
    kind: str  # kind of the sensor
    fields: str  # poke fields of the sensor as JSON text
    message: str | None  # outcome in words; None without one
    attempt: int  # number of the wait's attempt, from 1
    tries: int  # calls that were tried, with this one


@bound
def merge_callbacks(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...


@bound
def claim_callbacks(
    tx: Transaction, *, most: int, lease: timedelta, now: datetime | None
) -> list[Callback]: ...


@bound
def settle_callbacks(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...
