"""Counts of events and nodes over time."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class EventCounts(msgspec.Struct, frozen=True):
    """How many events of each type a span of time has."""

    start: int
    complete: int
    fail: int
    abort: int


@bound
def list_event_counts(tx: Transaction, *, rows: list[dict[str, Any]]) -> list[EventCounts]: ...


@bound
def list_job_beginnings(tx: Transaction) -> list[datetime | None]: ...


@bound
def list_dataset_beginnings(tx: Transaction) -> list[datetime | None]: ...
