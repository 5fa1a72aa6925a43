"""Callbacks of waits, each called at least once."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Callback(msgspec.Struct, frozen=True):
    """A function to call; `event` is success, failure or retry, `fields` JSON text."""

    id: str
    event: str
    function: str
    run_id: str
    sensor_id: str
    kind: str
    fields: str
    message: str | None
    attempt: int
    tries: int


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
