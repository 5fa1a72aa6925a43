"""Results of pokes, and of settling them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store.sensors import sensor_shards
from lineagegraph.store.sensors.sensors import WokenWaiter
from lineagegraph.triggers.start import Started

Claims = Mapping[int, int]
"""The epochs under which a process holds shards, by their numbers."""


class Poke(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one poke of a sensor: true, false, or None with the error.

    `began_at` is by the database's clock and not after the start of the poke; `broke` is whether
    it exceeded a limit.
    """

    id: str  # id of the sensor
    shard: int  # number of its shard
    began_at: datetime  # start of the poke
    is_true: bool | None  # answer; None with an error
    error: str | None = None  # why it has no answer
    broke: bool = False  # whether it exceeded a limit
    value: str | None = None  # JSON text of what it found, if that is more than true
    items: tuple[str, ...] | None = None  # JSON texts of new items; None for other answers
    cursor: str | None = None  # JSON text of the cursor behind the items
    after: int = 0  # number of the cursor that the poke began with


class PokeOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of a sensor at a time; `message` goes to the waits that it ends.

    An answer that is not true ends them too if it is `final`: it will never be true.
    """

    id: str  # id of the sensor
    began_at: datetime  # start of the poke
    is_true: bool  # answer
    message: str = ""  # what the waits tell that it ends
    final: bool = False  # whether it ends waits without being true
    is_latest: bool = True  # whether no later poke was settled before
    value: str | None = None  # JSON text of what it found, if that is more than true
    items: tuple[str, ...] | None = None  # JSON texts of new items; None for other answers
    cursor: str | None = None  # JSON text of the cursor behind the items
    after: int = 0  # number of the cursor that the poke began with


def row_of(one: Poke | PokeOutcome, *names: str) -> dict[str, Any]:
    """Return the fields that a statement takes: items and cursors are large."""
    return {name: getattr(one, name) for name in names}


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of settling pokes or timeouts.

    `waits` is the number of ended waits, `retried` that of new attempts. Of the changed sensors,
    `kept` are still poked and `dropped` are not. `refused` has the shards of other processes,
    `woken` the runs with a task that continues, `started` the runs that triggers queued.
    """

    waits: int = 0  # number of ended waits
    retried: int = 0  # number of new attempts
    looked_at: datetime | None = None  # time at which the graph was read; None if it was not
    kept: frozenset[str] = frozenset()  # ids of changed sensors that are still poked
    dropped: frozenset[str] = frozenset()  # ids of changed sensors that are no longer poked
    refused: frozenset[int] = frozenset()  # numbers of shards that other processes hold
    woken: tuple[WokenWaiter, ...] = ()  # runs with a task that continues
    started: tuple[Started, ...] = ()  # runs that triggers queued
    moved: frozenset[str] = frozenset()  # ids of sensors whose new items were taken


def claim_held(tx: Transaction, claims: Claims) -> set[int]:
    """Lock shards until the end of the transaction, and return those that are still held."""
    rows = [{"number": number, "epoch": epoch} for number, epoch in sorted(claims.items())]
    return set(sensor_shards.claim_fences(tx, rows=rows))
