"""Programs with CDAP's life cycle: start, stop, status and runs."""

from lineagegraph.http.programs.routes import program_routes

__all__ = ["program_routes"]
