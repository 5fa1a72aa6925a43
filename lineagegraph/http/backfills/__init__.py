"""Backfills over HTTP: previewed, started, looked at, paused, resumed and cancelled."""

from lineagegraph.http.backfills.routes import backfill_routes

__all__ = ["backfill_routes"]
