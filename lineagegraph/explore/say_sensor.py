"""A sensor in words."""

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors import decode_sensor
from lineagegraph.store.sensor_views import SensorRow


def say_sensor(row: SensorRow) -> str:
    """Return what a sensor looks at; one whose kind is not installed here as it is written."""
    try:
        return str(decode_sensor(row.kind, row.fields))
    except InvalidSensor:
        return f"{row.kind} {row.fields}"
