"""Why a trigger has fired or not, in words: the lines of a tree."""

from datetime import datetime, tzinfo
from typing import Literal

import msgspec

from lineagegraph.model.durations import say_seconds
from lineagegraph.queries.freshness.describe import say_age
from lineagegraph.queries.triggers.why import OPERATORS, CellStanding, Happened, Standing, Why
from lineagegraph.store.triggers.cells import Evaluation
from lineagegraph.store.triggers.firings import WaitingFiring


class Line(msgspec.Struct, frozen=True):
    """What happened and counts (`good`), what is missing or too old (`bad`), and what else is."""

    text: str
    tone: Literal["good", "bad", "soft"]


class Said(msgspec.Struct, frozen=True):
    """One condition: whether it is true, what it says, what belongs to it, and its parts."""

    is_true: bool
    text: str
    lines: tuple[Line, ...]
    parts: tuple["Said", ...]


def say_standings(why: Why, zone: tzinfo | None = None) -> list[Said]:
    """Return the condition of each cell as it stands; times are in a zone, or the machine's."""
    return [_said_cell(cell, zone) for cell in why.cells]


def say_waiting(one: WaitingFiring, zone: tzinfo | None = None) -> str:
    """Return what became of a firing that is no run, and why."""
    until = f", not before {say_time(one.held_until, zone)}" if one.held_until else ""
    return f"{one.state} {say_time(one.fired_at, zone)}: {one.kept_back or ''}{until}"


def say_refused(one: Evaluation, zone: tzinfo | None = None) -> str:
    """Return what happened and did not count."""
    return f"not counted at {say_time(one.at, zone)}: {one.text}"


def say_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a time to the second, in a zone or in the machine's."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}"


def _said_cell(cell: CellStanding, zone: tzinfo | None) -> Said:
    said = _said(cell.condition, zone)
    if cell.value is None:
        return said
    return Said(said.is_true, f"for {cell.value}", (), (said,))


def _said(standing: Standing, zone: tzinfo | None) -> Said:
    text = OPERATORS.get(standing.operator, standing.text)
    if standing.operands and standing.within is not None:
        text += f" (within {say_seconds(standing.within)})"
    lines = [Line(standing.missing, "bad")] if standing.missing else []
    if standing.next_at:
        lines.append(Line(f"next {say_time(standing.next_at, zone)}", "soft"))
    lines += [_happened(one, zone) for one in standing.happened]
    more = standing.total - len(standing.happened)
    lines += [Line(f"and {more} more", "soft")] if more > 0 else []
    parts = tuple(_said(one, zone) for one in standing.operands)
    return Said(standing.is_true, text, tuple(lines), parts)


def _happened(one: Happened, zone: tzinfo | None) -> Line:
    age = say_age(max(one.age, 0))
    said = f"{one.name or ''} {one.status or ''} {say_time(one.at, zone)}, {age} ago"
    return Line(f"{said}: {one.stale}", "bad") if one.stale else Line(said, "good")
