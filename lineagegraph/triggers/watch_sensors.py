"""The sensors that a trigger watches."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from lineagegraph.errors import InvalidRule, InvalidSensor
from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.triggers.condition import OnSensor
from lineagegraph.sensors import Sensor, decode_sensor, permitted_sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import SensorCursor
from lineagegraph.store.triggers import conditions
from lineagegraph.store.triggers.conditions import SensorLink
from lineagegraph.triggers.condition_nodes import ConditionNode

DEFINITION = "definition"


def watch_sensors(
    tx: Transaction,
    trigger_id: str,
    nodes: Sequence[ConditionNode],
    left: Sequence[str],
    *,
    namespace: str,
    origin: str,
    at: datetime,
    now: datetime | None,
) -> None:
    """Let the conditions of a trigger watch their sensors; `left` are those it watched before."""
    rows, watched = [], {}
    for node in nodes:
        if isinstance(node.condition, OnSensor):
            sensor = _sensor(node.condition, namespace, origin, at)
            kept = keep_sensor(tx, sensor, now)
            rows.append({"id": node.id, "sensor_id": kept.id})
            watched[kept.id] = sensor
    if rows or left:
        conditions.link_sensors(tx, rows=rows)
        _take_cursors_over(tx, trigger_id, watched, left, now)
        set_poke_intervals(tx, trigger_id, left, now)


def watch_as_before(
    tx: Transaction,
    trigger_id: str,
    nodes: Sequence[ConditionNode],
    before: Sequence[SensorLink],
    now: datetime | None,
) -> None:
    """Let the conditions that are left of a trigger watch the sensors that they watched before.

    Nothing of a sensor is read: the settings may refuse it by now, or lack its kind.
    """
    kept = {node.id for node in nodes}
    rows = [
        {"id": one.condition_id, "sensor_id": one.sensor_id}
        for one in before
        if one.condition_id in kept
    ]
    conditions.link_sensors(tx, rows=rows)
    set_poke_intervals(tx, trigger_id, [one.sensor_id for one in before], now)


def set_poke_intervals(
    tx: Transaction, trigger_id: str, left: Sequence[str], now: datetime | None
) -> None:
    """Set the poke intervals of the sensors of a trigger, and of those that it watched before."""
    ids = {*left, *sensors.list_watched_by(tx, trigger_id=trigger_id)}
    sensors.settle_demand(tx, ids=sorted(ids), now=now)


def _take_cursors_over(
    tx: Transaction,
    trigger_id: str,
    watched: Mapping[str, Sensor],
    left: Sequence[str],
    now: datetime | None,
) -> None:
    """Let changed sensors go on behind the cursors of those that the trigger watched before."""
    new = {_source(one): id_ for id_, one in watched.items() if id_ not in left}
    if not new:
        return
    gone = [id_ for id_ in left if id_ not in watched]
    rows = [
        {"old_id": one.id, "new_id": new[source]}
        for one in sensors.list_cursors(tx, ids=gone)
        if (source := _stored_source(one)) in new
    ]
    if rows:
        sensors.settle_cursors(tx, trigger_id=trigger_id, rows=rows, now=now)


def _source(sensor: Sensor) -> str:
    return canonical_json([sensor.kind, sensor.cursor_source()])


def _stored_source(stored: SensorCursor) -> str | None:
    try:
        return _source(decode_sensor(stored.kind, stored.fields))
    except Exception:
        # Its kind is no longer installed, or one of somebody's own that fails.
        return None


def _sensor(leaf: OnSensor, namespace: str, origin: str, at: datetime) -> Sensor:
    try:
        sensor = permitted_sensor(leaf.kind, leaf.fields, namespace=namespace)
        if sensor.begun(at) != sensor:
            raise InvalidSensor(f"{sensor} depends on the start of a wait: use a schedule")
    except InvalidSensor as error:
        raise InvalidRule(str(error)) from None
    if sensor.code_only and origin != DEFINITION:
        raise InvalidRule(f"a sensor of kind {leaf.kind} runs code: define it in a definition file")
    return sensor
