"""The reads of Marquez's API, and those of the hierarchy that it does not have."""

from lineagegraph.http.marquez.routes import marquez_routes

__all__ = ["marquez_routes"]
