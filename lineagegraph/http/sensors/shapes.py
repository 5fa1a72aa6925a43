"""Sensors and waits as answers."""

from typing import Any

import msgspec

from lineagegraph.queries.sensors.describe import say_sensor
from lineagegraph.queries.sensors.sensors import SensorDetails, WhyWaits
from lineagegraph.store.sensors.sensor_views import SensorRow, SensorWait, SensorWatcher


def sensor_shape(row: SensorRow) -> dict[str, Any]:
    """Return a sensor."""
    return {
        "id": row.id,
        "kind": row.kind,
        "fields": msgspec.Raw(row.fields.encode()),
        "text": say_sensor(row),
        "interval": row.interval,
        "createdAt": row.created_at,
        "pokedAt": row.poked_at,
        "isTrue": row.is_true,
        "changedAt": row.changed_at,
        "errors": row.errors,
        "error": row.error,
        "exclusiveReason": row.exclusive_reason,
        "waits": row.waits,
        "watches": row.watches,
    }


def details_shape(found: SensorDetails) -> dict[str, Any]:
    """Return a sensor with who waits for it, and who looks."""
    holder = found.holder
    return sensor_shape(found.sensor) | {
        "process": None if holder is None else {"host": holder.host, "pid": holder.pid},
        "waiting": [wait_shape(one) for one in found.waits],
        "triggers": [_watcher(one) for one in found.watchers],
    }


def why_shape(found: WhyWaits) -> dict[str, Any]:
    """Return a wait with its sensor."""
    return wait_shape(found.wait) | {"sensor": sensor_shape(found.sensor)}


def wait_shape(one: SensorWait) -> dict[str, Any]:
    """Return a wait."""
    return {
        "runId": one.run_id,
        "rootRunId": one.root_id,
        "namespace": one.namespace,
        "job": one.job,
        "state": one.state,
        "outcome": one.outcome,
        "message": one.message,
        "beganAt": one.began_at,
        "deadline": one.deadline,
        "settledAt": one.settled_at,
        "attempt": one.attempt,
        "attemptEndsAt": one.attempt_ends_at,
        "log": one.log,
        "terms": {
            "mode": one.mode,
            "pokeInterval": one.poke_interval,
            "timeout": one.timeout,
            "executionTimeout": one.execution_timeout,
            "retries": one.retries,
            "softFail": one.soft_fail,
        },
    }


def _watcher(one: SensorWatcher) -> dict[str, Any]:
    return {"name": one.name, "enabled": one.enabled, "starts": one.starts}
