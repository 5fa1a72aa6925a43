"""From cells whose condition is true to firings, and on to the runs that these start."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.trigger import Pick
from lineagegraph.store.triggers import cells, firings
from lineagegraph.store.triggers.cells import CellTruth, TimeWindow, WaitingOccurrence
from lineagegraph.triggers.evaluate import note_evaluations
from lineagegraph.triggers.start import Started, start

_MOST_ROUNDS = 1000


def fire(tx: Transaction, cell_ids: Sequence[str], now: datetime | None) -> list[Started]:
    """Fire the cells whose condition is true, repeatedly while occurrences remain."""
    started: list[Started] = []
    ids = sorted(set(cell_ids))
    for _ in range(_MOST_ROUNDS):
        truths = cells.list_truths(tx, ids=ids, now=now)
        true = [cell for cell in truths if cell.root.spans]
        note_evaluations(tx, truths, now)
        rows = [firing_of(cell) for cell in true]
        fired = set(firings.claim_firings(tx, rows=rows, now=now))
        started += start(tx, [row for row in rows if row["key"] in fired], now)
        ids = [cell.id for cell in true if cell.pick == Pick.FIRST]
        if not ids:
            break
    return started


def firing_of(cell: CellTruth) -> dict[str, Any]:
    """Return the firing of a cell that is true, and whose payloads it chooses."""
    span = min(cell.root.spans, key=lambda span: (span.lo, span.hi))
    taken = _taken(cell, span)
    chosen = _chosen(cell, taken)
    return {
        "trigger_id": cell.trigger_id,
        "cell_id": cell.id,
        "key": canonical_hash([cell.trigger_id, cell.value, cell.generation])[:32],
        "token": new_id(),
        "generation": cell.generation,
        "reason": _reason(cell, chosen),
        "first_at": min(held.occurred_at for held in taken).isoformat(),
        "keys": list(span.keys) if cell.pick == Pick.FIRST else None,
        "chosen": [held.key for held in chosen],
    }


def _chosen(cell: CellTruth, taken: list[WaitingOccurrence]) -> list[WaitingOccurrence]:
    """Return the occurrences whose payload counts, of those that a firing is for."""
    if cell.pick != Pick.LATEST:
        return taken
    newest = {held.condition_id: held for held in taken}
    return list(newest.values())


def _taken(cell: CellTruth, span: TimeWindow) -> list[WaitingOccurrence]:
    """Return the occurrences that a firing is for, the oldest first."""
    if cell.pick == Pick.FIRST:
        return [held for held in cell.held if held.key in span.keys]
    return _counting(cell)


def _counting(cell: CellTruth) -> list[WaitingOccurrence]:
    """Return the occurrences of the leaves that are not below a NOT."""
    truths = {truth.id: truth for truth in cell.truths}
    counting = [cell.root]
    for truth in counting:
        counting += [truths[id_] for id_ in truth.operands]
    ids = {truth.id for truth in counting}
    return [held for held in cell.held if held.condition_id in ids]


def _reason(cell: CellTruth, chosen: Sequence[WaitingOccurrence]) -> str:
    texts = {truth.id: truth.text for truth in cell.truths}
    said = [f"{texts[held.condition_id]} at {held.occurred_at:%F %T%z}" for held in chosen[:20]]
    more = f" and {len(chosen) - 20} more" if len(chosen) > 20 else ""
    where = f" for {cell.value}" if cell.value is not None else ""
    return " and ".join(said) + more + where
