"""Cells: unconsumed occurrences of a trigger, for each correlated value."""

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.graph import Transaction, bound


class TimeWindow(msgspec.Struct, frozen=True):
    """Occurrences that make a condition true: the first and last time (microseconds), and keys.

    `of` is the run, version or event that a single occurrence is about, and otherwise empty.
    """

    lo: int
    hi: int
    of: str
    keys: tuple[str, ...]


class Truth(msgspec.Struct, frozen=True):
    """A condition in a cell; it is true if it has spans."""

    id: str  # id of the condition
    text: str  # the condition in words
    operator: str  # its operator, or the kind of a leaf, in capitals
    operands: tuple[str, ...]  # ids of its operands without a NOT
    bars: tuple[str, ...]  # ids of the conditions that a NOT forbids
    windowed: bool  # whether it keeps all minimal spans, for a bound of it or above it
    need: int  # operands, or occurrences of a leaf, that it needs
    within: int | None  # microseconds that the chosen occurrences may lie apart; None for no bound
    spans: tuple[TimeWindow, ...]  # the choices of occurrences that make it true


class WaitingOccurrence(msgspec.Struct, frozen=True):
    """An occurrence that is not consumed."""

    condition_id: str
    key: str
    at: int
    status: str
    part: str | None
    occurred_at: datetime
    subject: str | None


class CellTruth(msgspec.Struct, frozen=True):
    """A cell with its condition tree, leaves first, the root last."""

    id: str
    value: str | None
    generation: int
    trigger_id: str
    pick: str
    truths: tuple[Truth, ...]
    held: tuple[WaitingOccurrence, ...]

    @property
    def root(self) -> Truth:
        """The whole condition."""
        return self.truths[-1]


class Cell(msgspec.Struct, frozen=True):
    """A cell that holds something; `now` is the database's time."""

    id: str
    value: str | None
    now: datetime


class HeldRow(msgspec.Struct, frozen=True):
    """An occurrence of a condition in a cell, with their number; it counts until `until`."""

    cell_id: str  # id of the cell
    condition_id: str  # id of the condition
    total: int  # occurrences of this condition in the cell, also those without a row
    status: str | None  # state of the run, or the kind of occurrence; None if unknown
    occurred_at: datetime  # time of the occurrence
    until: datetime | None  # time until which it counts; None for no end
    expired_at: datetime | None  # time of the reset at which it expired; None if it is held
    name: str | None  # name of the job, dataset or event, or text of the condition; None if unknown
    # id of the run, event or condition, or key of the dataset version; None if unknown
    subject: str | None


class PastHeld(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence that a cell held at a past time, or that had expired by then."""

    cell_id: str  # id of the cell
    value: str | None  # correlation value of the cell; None without one
    condition_id: str  # id of the condition
    key: str  # key of the occurrence in the trigger
    status: str | None  # state of the run, or the kind of occurrence; None if unknown
    part: str | None  # key by which occurrences are told apart if several are needed
    occurred_at: datetime  # time of the occurrence
    until: datetime | None  # time until which it counts; None for no end
    expired_at: datetime | None  # time of the reset at which it expired; None if it was held
    name: str | None  # name of the job, dataset or event, or text of the condition; None if unknown
    subject: str | None  # id or key of the run, event, condition or version; None if unknown


class Evaluation(msgspec.Struct, frozen=True):
    """The evaluation of a trigger at one time; `tree` is JSON."""

    at: datetime
    number: int
    value: str | None
    outcome: str
    text: str | None
    tree: str | None


@bound
def list_cells(tx: Transaction, *, trigger_id: str, most: int) -> list[Cell]: ...


@bound
def list_held_at(
    tx: Transaction, *, trigger_id: str, at: datetime, most: int
) -> list[PastHeld]: ...


@bound
def list_held(tx: Transaction, *, trigger_id: str, most: int) -> list[HeldRow]: ...


@bound
def list_evaluations(
    tx: Transaction, *, trigger_id: str, until: datetime | None, limit: int
) -> list[Evaluation]: ...


@bound
def list_truths(tx: Transaction, *, ids: list[str], now: datetime | None) -> list[CellTruth]: ...


@bound
def merge_evaluations(
    tx: Transaction, *, rows: list[dict[str, Any]], kept: int, now: datetime | None
) -> None: ...
