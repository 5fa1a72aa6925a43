"""Explanations of triggers as lines of a tree."""

from datetime import tzinfo
from typing import Literal

import msgspec

from lineagegraph.queries.triggers.why import (
    OPERATORS,
    CellStanding,
    ConditionStanding,
    Happened,
    Why,
)
from lineagegraph.store.triggers.cells import Evaluation
from lineagegraph.store.triggers.firings import WaitingFiring
from lineagegraph.text import format_age, format_duration, format_local


class Line(msgspec.Struct, frozen=True):
    """A line on an event that counts (`good`), a missing or expired one (`bad`), or a note."""

    text: str
    tone: Literal["good", "bad", "soft"]


class DescribedCondition(msgspec.Struct, frozen=True):
    """A condition: whether it is true, its text, its notes and its operands."""

    is_true: bool
    text: str
    lines: tuple[Line, ...]
    parts: tuple["DescribedCondition", ...]


def describe_standings(why: Why, zone: tzinfo | None = None) -> list[DescribedCondition]:
    """Return the current condition of each cell; times are in `zone`, or the machine's."""
    return [_said_cell(cell, zone) for cell in why.cells]


def describe_waiting(one: WaitingFiring, zone: tzinfo | None = None) -> str:
    """Return the state of a firing without a run, and why."""
    until = f", not before {format_local(one.held_until, zone)}" if one.held_until else ""
    return f"{one.state} {format_local(one.fired_at, zone)}: {one.kept_back or ''}{until}"


def describe_refused(one: Evaluation, zone: tzinfo | None = None) -> str:
    """Return an event that did not count, as text."""
    return f"not counted at {format_local(one.at, zone)}: {one.text}"


def _said_cell(cell: CellStanding, zone: tzinfo | None) -> DescribedCondition:
    said = _said(cell.condition, zone)
    if cell.value is None:
        return said
    return DescribedCondition(said.is_true, f"for {cell.value}", (), (said,))


def _said(standing: ConditionStanding, zone: tzinfo | None) -> DescribedCondition:
    text = OPERATORS.get(standing.operator, standing.text)
    if standing.operands and standing.within is not None:
        text += f" (within {format_duration(standing.within)})"
    lines = [Line(standing.missing, "bad")] if standing.missing else []
    if standing.next_at:
        lines.append(Line(f"next {format_local(standing.next_at, zone)}", "soft"))
    lines += [_happened(one, zone) for one in standing.happened]
    more = standing.total - len(standing.happened)
    lines += [Line(f"and {more} more", "soft")] if more > 0 else []
    parts = tuple(_said(one, zone) for one in standing.operands)
    return DescribedCondition(standing.is_true, text, tuple(lines), parts)


def _happened(one: Happened, zone: tzinfo | None) -> Line:
    age = format_age(max(one.age, 0))
    # The name of a time ends in "due" already.
    status = "" if one.status == "DUE" else f" {one.status or ''}"
    said = f"{one.name or ''}{status} {format_local(one.at, zone)}, {age} ago"
    return Line(f"{said}: {one.stale}", "bad") if one.stale else Line(said, "good")
