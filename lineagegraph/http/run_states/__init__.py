"""Changes of state of runs, as a stream and as pages."""

from lineagegraph.http.run_states.routes import RunStates

__all__ = ["RunStates"]
