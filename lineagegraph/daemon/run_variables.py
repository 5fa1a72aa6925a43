"""The variables of one run: each has the value that the run found when it first asked."""

import json
from threading import Lock
from typing import Any

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.canonical import canonical_json
from lineagegraph.store import variables


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


def see_variable(tx: Transaction, run_id: str, name: str) -> dict[str, Any]:
    """Return all that a run saw, with one more name; what it saw before stays as it was."""
    seen: dict[str, Any] = json.loads(variables.claim_seen(tx, run_id=run_id) or "{}")
    if name not in seen:
        text = variables.get_value(tx, name=name)
        seen[name] = None if text is None else variables.read_value(text)
        variables.set_seen(tx, run_id=run_id, variables=canonical_json(seen))
    return seen
