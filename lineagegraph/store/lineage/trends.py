"""Durations, costs, rows and versions of consecutive runs."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound


class MeasuredRun(msgspec.Struct, frozen=True):
    """A run of the job of a key; `cost` is JSON text."""

    key: str
    run: str
    at: datetime
    seconds: float
    cost: str | None
    row_count: int | None


class UsedVersion(msgspec.Struct, frozen=True):
    """The version that a run used; that of its pipeline, if it is the run of a task."""

    run: str
    version: str


@bound
def list_measures(
    tx: Transaction, *, keys: list[str], limit: int, with_rows: bool
) -> list[MeasuredRun]: ...


@bound
def list_used_versions(tx: Transaction, *, ids: list[str]) -> list[UsedVersion]: ...
