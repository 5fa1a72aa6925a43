"""Why a trigger had fired or not at a past time: its condition as it stood, expiries included."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.triggers.triggers import read_trigger
from lineagegraph.queries.triggers.why import (
    MOST_CELLS,
    MOST_EVALUATIONS,
    MOST_HELD,
    FoundCells,
    Why,
    why_of,
)
from lineagegraph.store.triggers import cells
from lineagegraph.store.triggers.cells import (
    Cell,
    CellTruth,
    HeldRow,
    PastHeld,
    Truth,
    WaitingOccurrence,
)

Evaluate = Callable[[str, Trigger, Sequence[WaitingOccurrence]], tuple[Truth, ...]]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_OCCURRENCES = 10_000


def read_why_at(graph: Graph, name: str, at: datetime, evaluate: Evaluate) -> Why:
    """Return why a trigger had fired at a past time, or what was missing, by its present rule.

    `evaluate` finds the truths of a rule from the occurrences of a cell.
    """
    whole = read_trigger(graph, name, until=at)
    rule = read_stored(whole.trigger.rule or "")
    found = graph.read(_read, whole.trigger.id, rule, at, evaluate)
    found.has_fired = bool(whole.firings)
    return why_of(whole, found)


def _read(
    tx: Transaction, trigger_id: str, rule: Trigger, at: datetime, evaluate: Evaluate
) -> FoundCells:
    held = cells.list_held_at(tx, trigger_id=trigger_id, at=at, most=_OCCURRENCES)
    rows = _of_last_reset(held)
    values = dict(list({row.cell_id: row.value for row in rows}.items())[:MOST_CELLS])
    return FoundCells(
        now=at,
        cells=[Cell(id_, value, at) for id_, value in values.items()] or [Cell("", None, at)],
        truths={
            id_: CellTruth(id_, value, 0, trigger_id, "", truths, ())
            for id_, value in values.items()
            if (truths := evaluate(trigger_id, rule, list(_counting(rows, id_, at))))
        },
        held=list(_newest(rows)),
        waiting=[],
        evaluations=cells.list_evaluations(
            tx, trigger_id=trigger_id, until=at, limit=MOST_EVALUATIONS
        ),
    )


def _of_last_reset(rows: Sequence[PastHeld]) -> list[PastHeld]:
    """Leave out what expired at an earlier reset than the last one."""
    last = max((row.expired_at for row in rows if row.expired_at), default=None)
    return [row for row in rows if row.expired_at in (None, last)]


def _counting(rows: Sequence[PastHeld], cell: str, at: datetime) -> Iterator[WaitingOccurrence]:
    for row in rows:
        is_over = row.expired_at is not None or (row.until is not None and row.until < at)
        if row.cell_id == cell and not is_over:
            yield WaitingOccurrence(
                condition_id=row.condition_id,
                key=row.key,
                at=(row.occurred_at - _EPOCH) // _MICROSECOND,
                status=row.status or "",
                part=row.part,
                occurred_at=row.occurred_at,
                subject=row.subject,
            )


def _newest(rows: Sequence[PastHeld]) -> Iterator[HeldRow]:
    """Yield the newest occurrences of each condition, with the number of those that count."""
    totals = Counter((row.cell_id, row.condition_id) for row in rows if row.expired_at is None)
    shown: Counter[tuple[str, str]] = Counter()
    for row in rows:
        place = (row.cell_id, row.condition_id)
        shown[place] += 1
        if shown[place] <= MOST_HELD:
            yield HeldRow(
                cell_id=row.cell_id,
                condition_id=row.condition_id,
                total=totals[place],
                status=row.status,
                occurred_at=row.occurred_at,
                until=row.until,
                expired_at=row.expired_at,
                name=row.name,
                subject=row.subject,
            )
