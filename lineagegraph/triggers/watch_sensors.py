"""The sensors that a trigger watches."""

from collections.abc import Sequence
from datetime import datetime

from lineagegraph.errors import InvalidRule, InvalidSensor
from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.condition import OnSensor
from lineagegraph.sensors import Sensor, permitted_sensor
from lineagegraph.sensors.node import keep_sensor
from lineagegraph.store.sensors import sensors
from lineagegraph.store.triggers import conditions
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
    rows = []
    for node in nodes:
        if isinstance(node.condition, OnSensor):
            sensor = _sensor(node.condition, namespace, origin, at)
            rows.append({"id": node.id, "sensor_id": keep_sensor(tx, sensor, now).id})
    if rows or left:
        conditions.link_sensors(tx, rows=rows)
        set_poke_intervals(tx, trigger_id, left, now)


def set_poke_intervals(
    tx: Transaction, trigger_id: str, left: Sequence[str], now: datetime | None
) -> None:
    """Set the poke intervals of the sensors of a trigger, and of those that it watched before."""
    ids = {*left, *sensors.list_watched_by(tx, trigger_id=trigger_id)}
    sensors.settle_demand(tx, ids=sorted(ids), now=now)


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
