"""Runs that are run again over HTTP."""

from lineagegraph.http.reruns.routes import rerun_routes

__all__ = ["rerun_routes"]
