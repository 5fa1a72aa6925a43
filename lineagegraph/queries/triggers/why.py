"""Why a trigger has fired or not: its current condition, cell by cell."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.triggers.triggers import WaitingFor, WholeTrigger, read_trigger
from lineagegraph.store.triggers import cells, firings
from lineagegraph.store.triggers.cells import Cell, CellTruth, Evaluation, HeldRow
from lineagegraph.store.triggers.firings import WaitingFiring
from lineagegraph.text import format_duration

OPERATORS = {
    "AND": "all of",
    "OR": "any of",
    "AT_LEAST": "at least some of",
    "SEQUENCE": "one after the other",
    "NOT": "not",
}
_CELLS = 50
_HELD = 5
_REFUSED = 10


class Happened(msgspec.Struct, frozen=True):
    """An occurrence that is not consumed; `stale` is why it no longer counts."""

    status: str | None
    name: str | None
    subject: str | None
    at: datetime
    age: float
    stale: str | None = None


class ConditionStanding(msgspec.Struct, frozen=True):
    """A condition in one cell: whether it is true, its occurrences, and what is missing.

    `within` is the time span in seconds that it sets for its operands.
    """

    text: str  # the condition in words
    operator: str  # its operator
    within: float | None  # seconds that its operands may lie apart
    is_true: bool  # whether it is true now
    total: int  # occurrences that count
    happened: tuple[Happened, ...]  # the newest of these
    missing: str | None  # the missing part in words; None if it is true
    next_at: datetime | None  # next due time of a schedule
    operands: tuple["ConditionStanding", ...]  # standings of its operands


class CellStanding(msgspec.Struct, frozen=True):
    """The whole condition for one correlation value of the trigger."""

    value: str | None
    condition: ConditionStanding


class Why(msgspec.Struct, frozen=True):
    """A trigger, the missing parts of each cell, and its latest decisions.

    `reruns` is the limit on reruns of a FAILED run.
    """

    trigger: WholeTrigger
    reruns: int
    at: datetime
    cells: tuple[CellStanding, ...]
    waiting: tuple[WaitingFiring, ...]
    refused: tuple[Evaluation, ...]
    evaluations: tuple[Evaluation, ...]


class _Found(msgspec.Struct):
    now: datetime
    cells: list[Cell]
    truths: dict[str, CellTruth]
    held: list[HeldRow]
    waiting: list[WaitingFiring]
    evaluations: list[Evaluation]
    has_fired: bool = False


def read_why(graph: Graph, name: str) -> Why:
    """Return why the trigger of that name, id or job has fired, or what is still missing."""
    whole = read_trigger(graph, name)
    found = graph.read(_read, whole.trigger.id)
    found.has_fired = bool(whole.firings)
    standing = [
        CellStanding(cell.value, _stand(whole.condition, cell.id, found, None))
        for cell in found.cells
        if whole.condition
    ]
    refused = [evaluation for evaluation in found.evaluations if evaluation.outcome == "REFUSED"]
    rule = whole.trigger.rule
    return Why(
        whole,
        read_stored(rule).reruns if rule else 0,
        found.now,
        tuple(standing),
        tuple(found.waiting),
        tuple(refused[:_REFUSED]),
        tuple(found.evaluations),
    )


def _read(tx: Transaction, trigger_id: str) -> _Found:
    known = cells.list_cells(tx, trigger_id=trigger_id, most=_CELLS)
    now = known[0].now if known else cells.get_time(tx)
    truths = cells.list_truths(tx, ids=[cell.id for cell in known], now=now)
    return _Found(
        now,
        known or [Cell("", None, now)],
        {truth.id: truth for truth in truths},
        cells.list_held(tx, trigger_id=trigger_id, most=_HELD),
        firings.list_waiting(tx, trigger_id=trigger_id, limit=_REFUSED),
        cells.list_evaluations(tx, trigger_id=trigger_id, limit=50),
    )


def _stand(waiting: WaitingFor, cell: str, found: _Found, bound: float | None) -> ConditionStanding:
    """Return the state of one condition; `bound` is the tightest time span set by an ancestor."""
    condition = waiting.condition
    own = min((b for b in (bound, condition.within) if b is not None), default=None)
    held = [h for h in found.held if (h.cell_id, h.condition_id) == (cell, condition.id)]
    happened = tuple(_happened(one, found.now, bound) for one in held)
    is_true = _is_true(cell, condition.id, found)
    operands = tuple(_stand(operand, cell, found, own) for operand in waiting.operands)
    if condition.operator == "NOT":
        is_true = not operands[0].is_true
    return ConditionStanding(
        text=condition.text or condition.operator,
        operator=condition.operator,
        within=condition.within,
        is_true=is_true,
        total=held[0].total if held else 0,
        happened=happened,
        missing=_missing(is_true, happened, operands, condition.need, found.has_fired),
        next_at=condition.next_at,
        operands=operands,
    )


def _is_true(cell: str, condition: str, found: _Found) -> bool:
    truths = found.truths[cell].truths if cell in found.truths else ()
    return any(truth.id == condition and truth.spans for truth in truths)


def _happened(one: HeldRow, now: datetime, bound: float | None) -> Happened:
    age = (now - one.occurred_at).total_seconds()
    stale = None
    if one.until is not None and one.until < now:
        stale = f"it counted until {one.until:%F %T%z}"
    elif bound is not None and age > bound:
        stale = f"too old to combine with new ones: more than {format_duration(bound)} ago"
    return Happened(one.status, one.name, one.subject, one.occurred_at, age, stale)


def _missing(
    is_true: bool,
    happened: Sequence[Happened],
    operands: Sequence[ConditionStanding],
    need: int,
    has_fired: bool,
) -> str | None:
    if is_true:
        return None
    if operands:
        return "its parts are not true together" if all(o.is_true for o in operands) else None
    if not happened:
        return f"nothing has happened {'since it fired last' if has_fired else 'yet'}"
    if any(one.stale is None for one in happened) and need > 1:
        return f"it needs {need}"
    return "the occurrences are too old"
