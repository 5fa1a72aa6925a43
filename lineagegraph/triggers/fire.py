"""From cells whose condition is true to firings, and on to the runs that these start."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.trigger import Pick
from lineagegraph.store.triggers import cells
from lineagegraph.store.triggers.cells import CellTruth, Truth, WaitingOccurrence
from lineagegraph.triggers.evaluate import note_evaluations
from lineagegraph.triggers.start import Started, start
from lineagegraph.triggers.storms import claim_unlimited
from lineagegraph.triggers.truths import keys_of, list_truths

_MOST_ROUNDS = 1000
# `list_truths.cypher` reads 64 more than these from both ends of what waits.
_MOST_SETS = 500
_LONGEST = 200


def fire(tx: Transaction, cell_ids: Sequence[str], now: datetime | None) -> list[Started]:
    """Fire the cells whose condition is true until none is.

    All firings of a round are written together, so their number does not add statements.
    """
    started: list[Started] = []
    ids = sorted(set(cell_ids))
    for _ in range(_MOST_ROUNDS):
        truths = cells.list_truths(tx, ids=ids, now=now)
        note_evaluations(tx, truths, now)
        rows = [row for cell in truths for row in firings_of(cell)]
        fired = claim_unlimited(tx, rows, now)
        started += start(tx, [row for row in rows if row["key"] in fired], now)
        ids = [cell.id for cell in truths if cell.root.spans and cell.pick == Pick.FIRST]
        if not ids:
            break
    return started


def firings_of(cell: CellTruth) -> Iterator[dict[str, Any]]:
    """Yield the firings of a cell, the oldest first, each with the occurrences that it takes."""
    if not cell.root.spans:
        return
    if cell.pick != Pick.FIRST:
        taken = _counting(cell)
        yield _firing(cell, 0, taken, _newest(taken) if cell.pick == Pick.LATEST else taken)
        return
    for number, keys in enumerate(islice(_sets(cell), _MOST_SETS)):
        chosen = [held for held in cell.held if held.key in keys]
        yield _firing(cell, number, [*chosen, *_superseded(cell, chosen)], chosen)


def _sets(cell: CellTruth) -> Iterator[frozenset[str]]:
    """Yield the keys of each set of occurrences that makes the condition true, oldest first."""
    if _is_single(cell):
        counting = sorted(_counting(cell), key=_moment)
        for _, together in groupby(counting, key=_moment):
            yield frozenset(held.key for held in together)
        return
    while spans := cell.root.spans:
        first = min(spans, key=lambda span: (span.lo, span.hi))
        keys = keys_of(first, cell.truths, cell.held)
        yield keys
        cell = _without(cell, keys)


def _is_single(cell: CellTruth) -> bool:
    """Return whether each occurrence makes the condition true: of a leaf, or of any of some."""
    leaves = {truth.id for truth in cell.truths if not truth.operands}
    root = cell.root
    return all(truth.need == 1 for truth in cell.truths) and (
        root.id in leaves or (root.operator == "OR" and leaves.issuperset(root.operands))
    )


def _moment(held: WaitingOccurrence) -> tuple[int, str]:
    return held.at, held.subject or held.key


def _without(cell: CellTruth, keys: frozenset[str]) -> CellTruth:
    """Return a cell after some of its occurrences are consumed."""
    chosen = [held for held in cell.held if held.key in keys]
    gone = keys.union(held.key for held in _superseded(cell, chosen))
    held = tuple(held for held in cell.held if held.key not in gone)
    return msgspec.structs.replace(cell, held=held, truths=list_truths(cell.truths, held))


def _superseded(
    cell: CellTruth, chosen: Sequence[WaitingOccurrence]
) -> Iterator[WaitingOccurrence]:
    """Yield the older occurrences of the same parts, where several different parts are needed."""
    counted = {truth.id for truth in cell.truths if not truth.operands and truth.need > 1}
    newest = {
        (held.condition_id, held.part): (held.at, held.key)
        for held in chosen
        if held.condition_id in counted
    }
    for held in cell.held:
        last = newest.get((held.condition_id, held.part))
        if last is not None and (held.at, held.key) < last:
            yield held


def _firing(
    cell: CellTruth,
    number: int,
    taken: Sequence[WaitingOccurrence],
    chosen: Sequence[WaitingOccurrence],
) -> dict[str, Any]:
    generation = cell.generation + number
    return {
        "trigger_id": cell.trigger_id,
        "cell_id": cell.id,
        "key": canonical_hash([cell.trigger_id, cell.value, generation])[:32],
        "token": new_id(),
        "generation": generation,
        "reason": _reason(cell, chosen),
        "first_at": min(held.occurred_at for held in taken).isoformat(),
        "taken": _taken(taken, chosen) if cell.pick == Pick.FIRST else None,
        "chosen": [held.key for held in chosen],
        "counting": sorted(_positive(cell)) if cell.pick == Pick.ALL else None,
    }


def _taken(
    taken: Sequence[WaitingOccurrence], chosen: Sequence[WaitingOccurrence]
) -> list[dict[str, Any]]:
    keys = {held.key for held in chosen}
    return [{"key": held.key, "chosen": held.key in keys} for held in taken]


def _newest(taken: Sequence[WaitingOccurrence]) -> list[WaitingOccurrence]:
    newest = {held.condition_id: held for held in taken}
    return list(newest.values())


def _counting(cell: CellTruth) -> list[WaitingOccurrence]:
    """Return the occurrences of the leaves that are not below a NOT, the oldest first."""
    ids = _positive(cell)
    return [held for held in cell.held if held.condition_id in ids]


def _positive(cell: CellTruth) -> set[str]:
    """Return the ids of the conditions that are not below a NOT."""
    truths: dict[str, Truth] = {truth.id: truth for truth in cell.truths}
    counting = [cell.root]
    for truth in counting:
        counting += [truths[id_] for id_ in truth.operands]
    return {truth.id for truth in counting}


def _reason(cell: CellTruth, chosen: Sequence[WaitingOccurrence]) -> str:
    texts = {truth.id: truth.text for truth in cell.truths}
    said = [f"{texts[held.condition_id]} at {held.occurred_at:%F %T%z}" for held in chosen[:20]]
    # Of thousands that wait not all are read.
    over = "over " if len(chosen) > 2 * _MOST_SETS else ""
    more = f" and {over}{len(chosen) - 20} more" if len(chosen) > 20 else ""
    where = f" for {cell.value[:_LONGEST]}" if cell.value is not None else ""
    return " and ".join(said) + more + where
