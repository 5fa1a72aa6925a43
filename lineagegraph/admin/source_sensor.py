"""Sensors that answer when a source was last new, for freshness terms."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.errors import InvalidFreshness
from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.source_time import TIME_NAME
from lineagegraph.sensors import Sensor, permitted_sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.freshness import terms as store
from lineagegraph.store.sensors import sensors

SOURCE_INTERVAL = 300.0
_NO_TIME = frozenset({"dataset", "file", "http", "partition", "run", "time"})


class SourceSensor(msgspec.Struct, frozen=True, kw_only=True):
    """A sensor that answers when a source was last new, with the name that people see."""

    name: str
    sensor: Sensor
    poke_interval: float = SOURCE_INTERVAL


def source_sensor(
    kind: str,
    fields: Mapping[str, Any],
    *,
    name: str | None = None,
    poke_interval: float = SOURCE_INTERVAL,
) -> SourceSensor:
    """Return a sensor of a kind for freshness terms; of `sql` the first value is the time.

    Raises `InvalidSensor` for invalid fields, and `InvalidFreshness` for a kind without a time.
    """
    if kind in _NO_TIME:
        raise InvalidFreshness(f"a sensor of kind {kind} answers no time: use sql or python")
    timed = {"value": TIME_NAME} if kind == "sql" else {}
    sensor = permitted_sensor(kind, {**timed, **fields})
    return SourceSensor(name=name or kind, sensor=sensor, poke_interval=poke_interval)


def watch_source(
    tx: Transaction, key: str, source: SourceSensor | None, now: datetime | None
) -> None:
    """Let the terms of a node watch this sensor in place of another, or none."""
    sensor_id = keep_sensor(tx, source.sensor, now).id if source else None
    ids = store.link_sensor(tx, key=key, sensor_id=sensor_id)
    sensors.settle_demand(tx, ids=ids, now=now)
