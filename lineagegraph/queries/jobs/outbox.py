"""Notifications and forwarding targets with their delivery states."""

from lineagegraph.graph import Graph
from lineagegraph.store.outbox.forwards import RefusedEvent, TargetRow, list_refused, list_targets
from lineagegraph.store.outbox.notifications import NotificationRow, list_notifications


def read_notifications(graph: Graph, limit: int = 20) -> list[NotificationRow]:
    """Return the newest notifications."""
    return graph.read(list_notifications, limit=limit)


def read_targets(graph: Graph) -> list[TargetRow]:
    """Return the targets that daemons forward to."""
    return graph.read(list_targets)


def read_refused(graph: Graph, limit: int = 20) -> list[RefusedEvent]:
    """Return the newest events that targets refused."""
    return graph.read(list_refused, limit=limit)
