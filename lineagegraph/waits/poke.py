"""What looks came to, and what followed."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store.sensors import sensor_shards
from lineagegraph.store.sensors.sensors import Woken
from lineagegraph.triggers.start import Started

Claims = Mapping[int, int]
"""The epochs under which a process holds shards, by their numbers."""


class Poke(msgspec.Struct, frozen=True, kw_only=True):
    """What one look at a sensor came to: true, false, or None with the error.

    `began_at` is of the database's clock, and no later than the look began; `broke` says that it
    broke a limit.
    """

    id: str
    shard: int
    began_at: datetime
    is_true: bool | None
    error: str | None = None
    broke: bool = False


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What followed from looks, or from the time.

    `waits` is how many waits ended, `retried` how many tried again. Of the sensors that this
    changed, `kept` are still to be looked at, and `dropped` are not. `refused` has the shards that
    others hold now, `woken` the runs of which a task goes on, `started` those that triggers queued.
    """

    waits: int = 0
    retried: int = 0
    looked_at: datetime | None = None
    kept: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    refused: frozenset[int] = frozenset()
    woken: tuple[Woken, ...] = ()
    started: tuple[Started, ...] = ()


def claim_held(tx: Transaction, claims: Claims) -> set[int]:
    """Lock shards until the end of the transaction, and return those that are still held."""
    rows = [{"number": number, "epoch": epoch} for number, epoch in sorted(claims.items())]
    return set(sensor_shards.claim_fences(tx, rows=rows))
