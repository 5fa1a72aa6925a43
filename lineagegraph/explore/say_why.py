"""Why a trigger has fired or not, in words: the lines of a tree."""

from datetime import datetime, tzinfo

import msgspec

from lineagegraph.explore.say_freshness import say_age
from lineagegraph.explore.why import OPERATORS, CellStanding, Happened, Standing, Why
from lineagegraph.model.durations import say_seconds
from lineagegraph.store.firings import WaitingFiring


class Said(msgspec.Struct, frozen=True):
    """One condition: whether it is true, what it says, what belongs to it, and its parts."""

    is_true: bool
    text: str
    lines: tuple[str, ...]
    parts: tuple["Said", ...]


def say_standings(why: Why, zone: tzinfo) -> list[Said]:
    """Return the condition of each cell as it stands."""
    return [_said_cell(cell, zone) for cell in why.cells]


def say_firings(why: Why, zone: tzinfo) -> list[str]:
    """Return what became of firings that are no runs, and what did not count."""
    waiting = [_waiting(one, zone) for one in why.waiting]
    refused = [f"not counted at {say_time(one.at, zone)}: {one.text}" for one in why.refused]
    return waiting + refused


def say_time(at: datetime, zone: tzinfo) -> str:
    """Return a time to the second."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}"


def _said_cell(cell: CellStanding, zone: tzinfo) -> Said:
    said = _said(cell.condition, zone)
    if cell.value is None:
        return said
    return Said(said.is_true, f"for {cell.value}", (), (said,))


def _said(standing: Standing, zone: tzinfo) -> Said:
    text = OPERATORS.get(standing.operator, standing.text)
    if standing.operands and standing.within is not None:
        text += f" (within {say_seconds(standing.within)})"
    lines = [standing.missing] if standing.missing else []
    lines += [f"next {say_time(standing.next_at, zone)}"] if standing.next_at else []
    lines += [_happened(one, zone) for one in standing.happened]
    more = standing.total - len(standing.happened)
    lines += [f"and {more} more"] if more > 0 else []
    parts = tuple(_said(one, zone) for one in standing.operands)
    return Said(standing.is_true, text, tuple(lines), parts)


def _happened(one: Happened, zone: tzinfo) -> str:
    age = say_age(max(one.age, 0))
    said = f"{one.name or ''} {one.status or ''} {say_time(one.at, zone)}, {age} ago"
    return f"{said}: {one.stale}" if one.stale else said


def _waiting(one: WaitingFiring, zone: tzinfo) -> str:
    until = f", not before {say_time(one.held_until, zone)}" if one.held_until else ""
    return f"{one.state} {say_time(one.fired_at, zone)}: {one.kept_back or ''}{until}"
