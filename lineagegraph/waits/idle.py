"""Sensors to poke in another way, or not at all."""

from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.sensors import shard_of
from lineagegraph.settings import load_settings
from lineagegraph.store.sensors import sensors
from lineagegraph.waits.poke import Settled

_MOST = 1000
IDLE = timedelta(hours=1)
CURSOR_AGE = timedelta(days=30)


def release_idle(tx: Transaction, *, age: timedelta = IDLE, now: datetime | None = None) -> int:
    """Delete up to a thousand sensors without waits for a long time; return their number.

    A sensor with a cursor is kept for 30 days, and one with a past wait as long as its run: then
    only runs lead to it. It also repairs sensors of deleted triggers and of a changed number of
    shards.
    """
    place_sensors(tx, load_settings().sensor_shards, now=now)
    watched = sensors.list_watched(tx)
    sensors.settle_demand(tx, ids=watched, now=now)
    return sensors.delete_idle(tx, age=age, cursor_age=CURSOR_AGE, most=_MOST, now=now)


def make_exclusive(
    tx: Transaction, sensor_id: str, reason: str, *, now: datetime | None = None
) -> Settled:
    """Let each wait for a sensor poke it itself from now on.

    Tasks that wait for it continue and poke in their own processes; standalone waits stay.
    """
    sensors.set_exclusive(tx, id=sensor_id, reason=reason, now=now)
    roots = sensors.settle_exclusive(tx, id=sensor_id)
    woken = sensors.settle_roots(tx, ids=roots, now=now)
    demand = sensors.settle_demand(tx, ids=[sensor_id], now=now)
    return Settled(
        kept=frozenset(one.id for one in demand if one.is_kept),
        dropped=frozenset(one.id for one in demand if not one.is_kept),
        woken=tuple(woken),
    )


def place_sensors(tx: Transaction, shards: int, *, now: datetime | None = None) -> int:
    """Put sensors into the shards that they are of among so many; return how many moved."""
    rows = [
        {"id": one.id, "shard": shard_of(one.id, shards)}
        for one in sensors.list_shards(tx)
        if one.shard != shard_of(one.id, shards)
    ]
    sensors.set_shards(tx, rows=rows, now=now)
    return len(rows)
