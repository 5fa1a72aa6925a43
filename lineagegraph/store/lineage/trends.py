"""Durations and costs of consecutive runs."""

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


@bound
def list_measures(tx: Transaction, *, keys: list[str], limit: int) -> list[MeasuredRun]: ...
