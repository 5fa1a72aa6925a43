"""Sensors and waits over HTTP."""

from lineagegraph.http.sensors.routes import sensor_routes

__all__ = ["sensor_routes"]
