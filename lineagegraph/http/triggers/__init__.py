"""Triggers over HTTP: list, explain, preview, fire, redrive and suspend them."""

from lineagegraph.http.triggers.routes import trigger_routes

__all__ = ["trigger_routes"]
