"""From transitions to notifications, in the transaction that brought them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.outbox.routes import Route
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.store.outbox import notifications

LONGEST = 2000


def notify(
    tx: Transaction,
    transitions: Sequence[Transition],
    routes: Sequence[Route],
    *,
    now: datetime | None = None,
) -> None:
    """Put each transition into the outbox, once for each channel that a route leads it to."""
    rows = {
        row["key"]: row
        for transition in transitions
        for channel in _channels(transition, routes)
        for row in [_row(transition, channel)]
    }
    notifications.merge_notifications(tx, rows=[rows[key] for key in sorted(rows)], now=now)


def _channels(said: Transition, routes: Sequence[Route]) -> list[str]:
    taking = (
        route
        for route in routes
        if route.takes(said.occasion, said.namespace, said.job, is_top=said.is_top)
    )
    return sorted({route.channel for route in taking})


def _row(said: Transition, channel: str) -> dict[str, Any]:
    parts = ["notification", said.about, said.id, said.occasion.value, said.turn, channel]
    return {
        "key": canonical_hash(parts)[:32],
        "channel": channel,
        "type": f"{said.about}.{said.occasion.value}",
        "subject": said.id,
        "namespace": said.namespace,
        "job": said.job,
        "at": said.at,
        "reason": said.reason,
        "message": said.message and said.message[:LONGEST],
    }
