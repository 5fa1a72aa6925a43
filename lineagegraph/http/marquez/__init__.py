"""Marquez's API, and operations beside it in its style."""

from lineagegraph.http.marquez.routes import marquez_routes

__all__ = ["marquez_routes"]
