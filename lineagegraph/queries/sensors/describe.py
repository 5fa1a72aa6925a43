"""A sensor as text."""

from lineagegraph.sensors import decode_sensor
from lineagegraph.store.sensors.sensor_views import SensorRow


def say_sensor(row: SensorRow) -> str:
    """Return a sensor's target as text; as written if its kind cannot be described here."""
    try:
        return str(decode_sensor(row.kind, row.fields))
    except Exception:
        # It is not installed, or one of somebody's own that fails.
        return f"{row.kind} {row.fields}"
