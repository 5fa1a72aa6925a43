"""A sensor in words."""

from lineagegraph.sensors import decode_sensor
from lineagegraph.store.sensors.sensor_views import SensorRow


def say_sensor(row: SensorRow) -> str:
    """Return what a sensor looks at; one that its kind cannot say here as it is written."""
    try:
        return str(decode_sensor(row.kind, row.fields))
    except Exception:
        # It is not installed, or one of somebody's own that fails.
        return f"{row.kind} {row.fields}"
