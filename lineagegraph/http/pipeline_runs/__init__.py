"""Runs of pipelines that are started, watched and cancelled over HTTP."""

from lineagegraph.http.pipeline_runs.routes import pipeline_run_routes

__all__ = ["pipeline_run_routes"]
