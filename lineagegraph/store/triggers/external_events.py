"""External events of people and programs, by name."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class ExternalEventRow(msgspec.Struct, frozen=True):
    """An event as first received; `payload` is JSON."""

    is_new: bool
    name: str
    occurred_at: datetime
    payload: str | None


@bound
def merge_external_event(
    tx: Transaction,
    *,
    id: str,
    name: str,
    payload: str | None,
    occurred_at: str | None,
    token: str,
    run_id: str | None,
    now: datetime | None,
) -> ExternalEventRow: ...


@bound
def merge_sensor_events(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> None: ...
