"""Notifications: what was told where, and what could not be."""

from lineagegraph.graph import Graph
from lineagegraph.store.notifications import NotificationRow, list_notifications


def read_notifications(graph: Graph, limit: int = 20) -> list[NotificationRow]:
    """Return the newest notifications."""
    return graph.read(list_notifications, limit=limit)
