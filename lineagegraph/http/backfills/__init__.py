"""Backfills over HTTP."""

from lineagegraph.http.backfills.routes import backfill_routes

__all__ = ["backfill_routes"]
