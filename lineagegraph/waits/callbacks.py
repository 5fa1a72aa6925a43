"""Callbacks of waits, stored for the sensor process."""

from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.waits import WaitTerms
from lineagegraph.sensors import Sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.sensors import sensor_callbacks, sensors


def callback(
    *,
    run_id: str,
    sensor_id: str,
    event: str,
    function: str,
    message: str | None,
    attempt: int,
) -> dict[str, Any]:
    """Return the row that `store.sensor_callbacks.merge_callbacks` takes: the same, the same id."""
    return {
        "id": canonical_hash([run_id, sensor_id, event, attempt])[:32],
        "event": event,
        "function": function,
        "run_id": run_id,
        "sensor_id": sensor_id,
        "message": message,
        "attempt": attempt,
    }


def keep_exclusive(
    tx: Transaction,
    *,
    run_id: str,
    sensor: Sensor,
    terms: WaitTerms,
    event: str,
    message: str | None,
    attempt: int,
    now: datetime | None = None,
) -> None:
    """Store the callback of an event for a wait whose run poked the sensor itself."""
    function = getattr(terms, f"on_{event}")
    if function is None:
        return
    kept = keep_sensor(tx, sensor, now)
    row = callback(
        run_id=run_id,
        sensor_id=kept.id,
        event=event,
        function=function,
        message=message,
        attempt=attempt,
    )
    sensor_callbacks.merge_callbacks(tx, rows=[row], now=now)
    sensors.settle_demand(tx, ids=[kept.id], now=now)
