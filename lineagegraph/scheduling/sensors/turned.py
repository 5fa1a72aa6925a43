"""Sensors that trigger leaves watch, and that turned true."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.scheduling.begin_anew import note_and_fire
from lineagegraph.scheduling.start import Started
from lineagegraph.store import sensors, triggers
from lineagegraph.store.sensors import Turned

_TURNED = "TRUE"


def react_to_turned(
    tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None
) -> list[Started]:
    """Fire what answers of sensors make true: a leaf has an occurrence each time one turns true.

    What it finds true when it looks for the first time has turned true for it.
    """
    ids = sensors.due_turned(tx, rows=list(rows))
    if not ids:
        return []
    triggers.claim_triggers(tx, ids=ids)
    turned = sensors.settle_turned(tx, rows=list(rows), now=now)
    return note_and_fire(tx, [_row(one) for one in turned], now)


def _row(one: Turned) -> dict[str, Any]:
    """Return the row that `store.occurrences.link_occurrences` takes."""
    at = one.at.isoformat()
    return {
        "trigger_id": one.trigger_id,
        "condition_id": one.condition_id,
        "cell_id": one.trigger_id,
        "cell_value": None,
        "key": f"{one.condition_id} {at} {_TURNED}",
        "status": _TURNED,
        "part": at,
        "occurred_at": at,
    }
