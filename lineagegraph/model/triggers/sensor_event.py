"""The event that keeps the value of a sensor's answer."""

SENSOR_EVENT = "sensor:"
"""The beginning of its name and of its id, which no reported event may have."""
