"""A run begins to wait for a sensor."""

from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import SensorWaitRow


class Begun(msgspec.Struct, frozen=True):
    """A wait and its state; with an `exclusive_reason` the run pokes the sensor itself."""

    wait: SensorWaitRow | None
    exclusive_reason: str | None = None


def begin_wait(
    tx: Transaction,
    *,
    run_id: str,
    root_id: str,
    sensor: Sensor,
    terms: WaitTerms,
    asked: str | None = None,
    now: datetime | None = None,
) -> Begun | None:
    """Let a run wait for a sensor; an existing wait is left unchanged.

    Return None if the run is not in the graph yet, or has ended. `asked` is the id of the sensor as
    a deferred task stated it: such a task has no process that could poke the sensor itself.
    """
    known = sensors.get_wait(tx, run_id=run_id)
    if known is not None:
        return Begun(known, known.message if known.outcome == "exclusive" else None)
    begun = sensor.begun(now or get_time(tx))
    kept = keep_sensor(tx, begun, now)
    if kept.exclusive_reason and root_id != run_id and asked is None:
        return Begun(None, kept.exclusive_reason)
    wait = sensors.link_wait(
        tx,
        run_id=run_id,
        root_id=root_id,
        id=kept.id,
        asked=asked,
        terms=msgspec.structs.asdict(terms),
        attempt=timedelta(seconds=terms.attempt_seconds),
        total=timedelta(seconds=terms.total_seconds),
        now=now,
    )
    return Begun(wait) if wait else None
