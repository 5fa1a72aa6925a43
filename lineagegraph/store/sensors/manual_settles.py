"""Waits that a person ends."""

from datetime import datetime

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.sensors.sensors import MetWait


@bound
def settle_wait(
    tx: Transaction, *, run_id: str, state: str, author: str, message: str, now: datetime | None
) -> MetWait | None: ...
