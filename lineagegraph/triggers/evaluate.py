"""Evaluations of triggers, stored for `trigger why`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store.triggers import cells
from lineagegraph.store.triggers.cells import CellTruth, Truth
from lineagegraph.triggers.occurrences import Refused

KEPT = 50
_SHOWN = 5


def note_evaluations(tx: Transaction, truths: Sequence[CellTruth], now: datetime | None) -> None:
    """Store the truths of cells."""
    rows = [
        {
            "trigger_id": cell.trigger_id,
            "value": cell.value,
            "outcome": "TRUE" if cell.root.spans else "WAITING",
            "text": None,
            "tree": msgspec.json.encode([_row(cell, truth) for truth in cell.truths]).decode(),
        }
        for cell in truths
    ]
    cells.merge_evaluations(tx, rows=rows, kept=KEPT, now=now)


def note_refused(tx: Transaction, refused: Sequence[Refused], now: datetime | None) -> None:
    """Record occurrences that a predicate rejected."""
    rows = [
        {"trigger_id": one.trigger_id, "value": None, "outcome": "REFUSED", "text": one.text}
        for one in refused
    ]
    cells.merge_evaluations(tx, rows=rows, kept=KEPT, now=now)


def _row(cell: CellTruth, truth: Truth) -> dict[str, Any]:
    held = [one for one in cell.held if one.condition_id == truth.id]
    return {
        "text": truth.text,
        "operator": truth.operator,
        "true": bool(truth.spans),
        "held": len(held),
        "newest": [
            {"status": one.status, "subject": one.subject, "at": one.occurred_at}
            for one in held[-_SHOWN:]
        ],
    }
