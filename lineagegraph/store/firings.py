"""Firings: the decisions that triggers came to."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class Firing(msgspec.Struct, frozen=True):
    """One decision, and the run that it queued."""

    key: str
    trigger_id: str
    run_id: str
    reason: str


@bound
def claim_firings(
    tx: Transaction, *, rows: list[dict[str, Any]], now: datetime | None
) -> list[Firing]: ...


@bound
def count_firings(tx: Transaction, *, trigger_id: str) -> int: ...
