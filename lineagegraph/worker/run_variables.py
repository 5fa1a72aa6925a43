"""The variables of one run: each keeps the value of its first read."""

from threading import Lock
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.store.admin.variables import see_variable


class RunVariables:
    """Reads variables for a run, and records each value on the run in the same transaction."""

    def __init__(self, graph: Graph, run_id: str) -> None:
        self._graph = graph
        self._run_id = run_id
        self._lock = Lock()
        self._seen: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """Return a variable's value for this run, None if it was not set."""
        with self._lock:
            if name not in self._seen:
                self._seen = self._graph.write(see_variable, self._run_id, name)
            return self._seen[name]
