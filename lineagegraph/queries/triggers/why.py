"""Why a trigger has fired or not: its current condition, cell by cell."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.triggers.triggers import WaitingFor, WholeTrigger, read_trigger
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.triggers import cells, firings
from lineagegraph.store.triggers.catalog import ConditionRow
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
MOST_CELLS = 50
MOST_HELD = 5
MOST_EVALUATIONS = 50
_REFUSED = 10
_ABSENCES = {
    "UNKNOWN": ", and no job of this name is known: check its name",
    "WITHDRAWN": ", and no definition file states it any more",
    None: "",
}


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


class FoundCells(msgspec.Struct):
    """The cells of a trigger at one time, with their truths, and its latest decisions."""

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
    return why_of(whole, found)


def why_of(whole: WholeTrigger, found: FoundCells) -> Why:
    """Return the explanation of a trigger from what was found about it."""
    standing = [
        CellStanding(cell.value, _stand(whole.condition, cell.id, found, _Above()))
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


def _read(tx: Transaction, trigger_id: str) -> FoundCells:
    known = cells.list_cells(tx, trigger_id=trigger_id, most=MOST_CELLS)
    now = known[0].now if known else get_time(tx)
    truths = cells.list_truths(tx, ids=[cell.id for cell in known], now=now)
    return FoundCells(
        now,
        known or [Cell("", None, now)],
        {truth.id: truth for truth in truths},
        cells.list_held(tx, trigger_id=trigger_id, most=MOST_HELD),
        firings.list_waiting(tx, trigger_id=trigger_id, limit=_REFUSED),
        cells.list_evaluations(tx, trigger_id=trigger_id, until=None, limit=MOST_EVALUATIONS),
    )


class _Above(NamedTuple):
    """What the ancestors of a condition set for it."""

    bound: float | None = None  # the tightest of their time spans
    is_true: bool = False  # whether the parent is true
    is_barred: bool = False  # whether one of them is a NOT


def _stand(waiting: WaitingFor, cell: str, found: FoundCells, above: _Above) -> ConditionStanding:
    """Return the state of one condition."""
    condition = waiting.condition
    is_not = condition.operator == "NOT"
    own = min((b for b in (above.bound, condition.within) if b is not None), default=None)
    held = [h for h in found.held if (h.cell_id, h.condition_id) == (cell, condition.id)]
    happened = tuple(_happened(one, found.now, above.bound) for one in held)
    is_true = _is_true(cell, condition.id, found)
    here = _Above(own, is_true, above.is_barred or is_not)
    operands = tuple(_stand(operand, cell, found, here) for operand in waiting.operands)
    if is_not:
        # An occurrence outside the time span of a parent that is true did not prevent it.
        is_true = above.is_true or not operands[0].is_true
    is_missing = not (is_true or above.is_barred)
    total = next((one.total for one in held if one.expired_at is None), 0)
    return ConditionStanding(
        text=condition.text or condition.operator,
        operator=condition.operator,
        within=condition.within,
        is_true=is_true,
        total=total,
        happened=happened,
        missing=_missing(happened, operands, condition, found.has_fired) if is_missing else None,
        next_at=condition.next_at,
        operands=operands,
    )


def _is_true(cell: str, condition: str, found: FoundCells) -> bool:
    truths = found.truths[cell].truths if cell in found.truths else ()
    return any(truth.id == condition and truth.spans for truth in truths)


def _happened(one: HeldRow, now: datetime, bound: float | None) -> Happened:
    age = (now - one.occurred_at).total_seconds()
    stale = None
    if one.expired_at is not None:
        stale = f"it expired at the reset of {one.expired_at:%F %T%z}"
    elif one.until is not None and one.until < now:
        stale = f"it counted until {one.until:%F %T%z}"
    elif bound is not None and age > bound:
        stale = f"too old to combine with new ones: more than {format_duration(bound)} ago"
    return Happened(one.status, one.name, one.subject, one.occurred_at, age, stale)


def _missing(
    happened: Sequence[Happened],
    operands: Sequence[ConditionStanding],
    condition: ConditionRow,
    has_fired: bool,
) -> str | None:
    if operands:
        return "its parts are not true together" if all(o.is_true for o in operands) else None
    if not happened:
        since = "since it fired last" if has_fired else "yet"
        return f"nothing has happened {since}{_ABSENCES[condition.absence]}"
    if any(one.stale is None for one in happened) and condition.need > 1:
        return f"it needs {condition.need}"
    return "the occurrences are too old"
