"""What is to be called for a wait whose run looked itself."""

from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.wait_terms import WaitTerms
from lineagegraph.scheduling.keep_sensor import keep_sensor
from lineagegraph.sensors import Sensor
from lineagegraph.store import sensor_callbacks, sensors


def keep_call(
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
    """Keep that the function for an event is to be called, if the terms name one."""
    function = getattr(terms, f"on_{event}")
    if function is None:
        return
    kept = keep_sensor(tx, sensor, now)
    row = {
        "id": canonical_hash([run_id, kept.id, event, attempt])[:32],
        "event": event,
        "function": function,
        "run_id": run_id,
        "sensor_id": kept.id,
        "message": message,
        "attempt": attempt,
    }
    sensor_callbacks.merge_callbacks(tx, rows=[row], now=now)
    sensors.settle_demand(tx, ids=[kept.id], now=now)
