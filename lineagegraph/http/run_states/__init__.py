"""The states of runs as they change: a stream that others follow, and pages of it."""

from lineagegraph.http.run_states.routes import RunStates

__all__ = ["RunStates"]
