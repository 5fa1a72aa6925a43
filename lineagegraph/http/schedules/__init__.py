"""Schedules over HTTP, as CDAP's API has them."""

from lineagegraph.http.schedules.routes import schedule_routes

__all__ = ["schedule_routes"]
