"""The variables of one run: each has the value that the run found when it first asked."""

from threading import Lock
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.store.admin.variables import see_variable


class RunVariables:
    """Reads variables for a run, and keeps on the run what was read, in the same transaction."""

    def __init__(self, graph: Graph, run_id: str) -> None:
        self._graph = graph
        self._run_id = run_id
        self._lock = Lock()
        self._seen: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """Return a variable's value for this run, None where it was not set."""
        with self._lock:
            if name not in self._seen:
                self._seen = self._graph.write(see_variable, self._run_id, name)
            return self._seen[name]
