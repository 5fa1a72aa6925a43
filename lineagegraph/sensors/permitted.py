"""Sensors that the settings permit."""

from collections.abc import Mapping
from typing import Any

from lineagegraph.sensors.make import make_sensor
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.settings import load_settings


def permitted_sensor(
    kind: str, fields: Mapping[str, Any], *, namespace: str | None = None
) -> Sensor:
    """Return the sensor of a kind with these fields, as `make_sensor` does.

    Also raise `InvalidSensor` if the settings do not permit it.
    """
    sensor = make_sensor(kind, fields, namespace=namespace)
    sensor.permit(SensorPolicy.of(load_settings()))
    return sensor
