"""Runs that end otherwise wait for their sensors no more."""

from collections.abc import Iterable
from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.store.sensors import sensors


def end_waits(
    tx: Transaction,
    run_ids: Iterable[str],
    *,
    only_ended: bool = False,
    why: str | None = None,
    now: datetime | None = None,
) -> None:
    """Cancel the waits of runs, or only of the runs that have ended.

    With `why` they are not cancelled: the runs poke the sensors themselves, for that reason.
    """
    ids = sorted(set(run_ids))
    left = sensors.settle_ended(tx, run_ids=ids, only_ended=only_ended, why=why, now=now)
    sensors.settle_demand(tx, ids=left, now=now)
