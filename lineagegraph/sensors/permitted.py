"""Sensors that the settings permit."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.sensors.make import make_sensor
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.registry import check_confined_kind, find_kind
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.settings import load_settings


def permitted_sensor(
    kind: str, fields: Mapping[str, Any], *, namespace: str | None = None
) -> Sensor:
    """Return the sensor of a kind with these fields, as `make_sensor` does.

    Also raise `InvalidSensor` if the settings do not permit it.
    """
    sensor = make_sensor(kind, fields, namespace=namespace)
    if sensor.confined:
        check_confined_kind(kind)
    sensor.permit(SensorPolicy.of(load_settings(), confined=sensor.confined))
    return sensor


def confined_fields(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a sensor that a token states, whatever they had about that."""
    known = find_kind(kind)
    stated = {name: value for name, value in fields.items() if name != "confined"}
    return stated if known.from_graph else {**stated, "confined": True}
