"""Sensors over HTTP: what is waited for, and waits of one's own."""

from lineagegraph.http.sensors.routes import sensor_routes

__all__ = ["sensor_routes"]
