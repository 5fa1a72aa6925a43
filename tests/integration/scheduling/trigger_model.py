"""A trigger in plain Python: its cells, what is noted in them, and what firings must take."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from lineagegraph.model.triggers.condition import Happening, OnDataset, OnEvent, OnStatus
from lineagegraph.model.triggers.trigger import Pick, Trigger
from tests.integration.scheduling.condition_model import (
    Occurrence,
    Place,
    choices,
    leaves,
    positive_leaves,
)


class Happened(NamedTuple):
    """Something that was reported: a run's end, the version that it wrote, or an event."""

    source: str
    subject: str
    status: str
    at: int
    part: str
    payload: dict[str, Any]


class Fired(NamedTuple):
    """What the engine says that a firing took, and which of that it chose."""

    consumed: frozenset[tuple[Place, str, str]]
    chosen: frozenset[tuple[Place, str, str]]


class TriggerModel:
    """A trigger that is told what happens, and checks what the engine made of it."""

    def __init__(self, rule: Trigger) -> None:
        self._rule = rule
        self._leaves = list(leaves(rule.when))
        self._cells: dict[str | None, set[Occurrence]] = {}
        self._noted: set[tuple[Place, str, str]] = set()

    def note(self, batch: Iterable[Happened]) -> set[str | None]:
        """Note what happened, and return the cells in which that is news."""
        touched: set[str | None] = set()
        for one in batch:
            value = one.payload.get(self._rule.correlate_by or "")
            if self._rule.correlate_by and value is None:
                continue
            for place, leaf in self._leaves:
                if _counts(leaf, one) and (place, one.subject, one.status) not in self._noted:
                    self._noted.add((place, one.subject, one.status))
                    occurrence = Occurrence(place, one.subject, one.status, one.at, one.part)
                    self._cells.setdefault(value, set()).add(occurrence)
                    touched.add(value)
        return touched

    def check(self, value: str | None, fired: list[Fired], now: int) -> None:
        """Assert that these are the firings of a cell that was touched."""
        cell = self._cells[value]
        if self._rule.pick is Pick.FIRST:
            for firing in fired:
                self._check_first(cell, firing, now)
            assert not self._choices(cell, now), "it is true and did not fire"
        elif self._choices(cell, now):
            assert len(fired) == 1, "it is true and did not fire once"
            self._check_whole(cell, fired[0], now)
        else:
            assert not fired, "it fired and is not true"

    def _check_first(self, cell: set[Occurrence], firing: Fired, now: int) -> None:
        found = self._choices(cell, now)
        assert found, "it fired and is not true"
        first = min((choice.begin, choice.end) for choice in found)
        fitting = [c.chosen for c in found if (c.begin, c.end) == first]
        taken = [chosen for chosen in fitting if _keys(chosen) == firing.chosen]
        assert taken, f"took {firing.chosen}, not one of {fitting}"
        gone = self._superseded(self._young(cell, now), taken[0])
        assert firing.consumed == _keys(gone)
        cell -= gone

    def _superseded(
        self, cell: set[Occurrence], chosen: Iterable[Occurrence]
    ) -> frozenset[Occurrence]:
        """Return what was chosen, and the older occurrences of the same counted parts."""
        counts = {place: leaf.count for place, leaf in self._leaves}
        newest = {(one.place, one.part): one.at for one in chosen if counts[one.place] > 1}
        older = {one for one in cell if one.at <= newest.get((one.place, one.part), -1)}
        return older.union(chosen)

    def _check_whole(self, cell: set[Occurrence], firing: Fired, now: int) -> None:
        assert firing.consumed == _keys(cell)
        young = self._young(cell, now)
        chosen = {one for one in young if _key(one) in firing.chosen}
        assert _keys(chosen) == firing.chosen, "what is too old was chosen"
        for place in positive_leaves(self._rule.when):
            mine = {one for one in young if one.place == place}
            taken = mine & chosen
            if self._rule.pick is Pick.ALL:
                assert taken == mine
            elif mine:
                assert [one.at for one in taken] == [max(one.at for one in mine)]
        assert {one.place for one in chosen} <= set(positive_leaves(self._rule.when))
        cell.clear()

    def _choices(self, cell: set[Occurrence], now: int) -> list[Any]:
        return choices(self._rule.when, self._young(cell, now))

    def _young(self, cell: set[Occurrence], now: int) -> set[Occurrence]:
        lasts = {place: leaf.within_seconds for place, leaf in self._leaves}
        return {one for one in cell if (most := lasts[one.place]) is None or now - one.at <= most}


def _counts(leaf: Happening, one: Happened) -> bool:
    match leaf:
        case OnStatus():
            is_it = leaf.job == one.source and one.status in leaf.statuses
        case OnDataset():
            is_it = leaf.name == one.source
        case OnEvent():
            is_it = leaf.name == one.source
    return is_it and all(
        predicate.key in one.payload and one.payload[predicate.key] == predicate.value
        for predicate in leaf.where_
    )


def _key(one: Occurrence) -> tuple[Place, str, str]:
    return one.place, one.subject, one.status


def _keys(some: Iterable[Occurrence]) -> frozenset[tuple[Place, str, str]]:
    return frozenset(map(_key, some))
