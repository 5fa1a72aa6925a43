"""Forwarding: how far behind each target is, and what targets refused."""

from lineagegraph.graph import Graph
from lineagegraph.store.forwards import RefusedEvent, TargetRow, list_refused, list_targets


def read_targets(graph: Graph) -> list[TargetRow]:
    """Return the targets that daemons forward to."""
    return graph.read(list_targets)


def read_refused(graph: Graph, limit: int = 20) -> list[RefusedEvent]:
    """Return the events that targets refused last."""
    return graph.read(list_refused, limit=limit)
