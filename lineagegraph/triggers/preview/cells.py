"""The cells of a trigger in memory: unconsumed occurrences and their truths."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import msgspec

from lineagegraph.model.triggers.trigger import Pick
from lineagegraph.store.triggers.cells import CellTruth, WaitingOccurrence
from lineagegraph.triggers.condition_nodes import ConditionNode, need_of, node_properties
from lineagegraph.triggers.fire import firings_of
from lineagegraph.triggers.occurrences import time_of
from lineagegraph.triggers.truths import SHOWN, list_truths, make_truths

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Fired(msgspec.Struct, frozen=True):
    """A firing: the consumed occurrences of a cell, and the keys of its payloads."""

    at: datetime
    value: str | None
    reason: str
    taken: tuple[WaitingOccurrence, ...]
    chosen: frozenset[str]


class Cells:
    """The cells of one trigger; consumed and expired occurrences stay so."""

    def __init__(self, nodes: Sequence[ConditionNode], pick: Pick) -> None:
        self._conditions = make_truths(nodes)
        self._need = {node.id: need_of(node.condition) for node in nodes}
        self._pick = pick
        self._lasts = {node.id: node_properties(node)["lasts"] for node in nodes}
        self._held: dict[str | None, dict[str, WaitingOccurrence]] = defaultdict(dict)
        self._in_order: dict[tuple[str | None, str], list[WaitingOccurrence]] = defaultdict(list)
        self._until: dict[str, datetime] = {}
        self._gone: set[str] = set()

    def note(self, rows: Sequence[dict[str, Any]], begun_at: datetime | None) -> set[str | None]:
        """Note the occurrences since the last reset, each once; return their values."""
        touched = set()
        for row in rows:
            at = time_of(row["occurred_at"])
            if row["key"] in self._gone or (begun_at is not None and at < begun_at):
                continue
            held, value = _held(row, at), row["cell_value"]
            if held.key not in self._held[value]:
                insort(self._in_order[value, held.condition_id], held, key=_place)
                self._held[value][held.key] = held
            if (lasts := self._lasts[held.condition_id]) is not None:
                self._until[held.key] = at + timedelta(seconds=lasts)
            touched.add(value)
        return touched

    def fire(self, values: set[str | None], now: datetime) -> Iterator[Fired]:
        """Fire the true cells, repeatedly while occurrences remain."""
        for value in sorted(values, key=lambda value: value or ""):
            while cell := self._true(value, now):
                yield from [self._consume(value, firing, now) for firing in firings_of(cell)]
                if self._pick is not Pick.FIRST:
                    break

    def expire(self, condition_id: str | None = None, before: datetime | None = None) -> None:
        """Expire the occurrences of a condition, or those before a time."""
        for value, held in self._held.items():
            gone = [
                key
                for key, one in held.items()
                if (before is not None and one.occurred_at < before)
                or one.condition_id == condition_id
            ]
            self._drop(value, gone)

    def last_until(self, condition_id: str, until: datetime) -> None:
        """Let the occurrences of a condition count until a time."""
        for held in self._held.values():
            for key, one in held.items():
                if one.condition_id == condition_id:
                    self._until[key] = until

    def _true(self, value: str | None, now: datetime) -> CellTruth | None:
        # Truths hang on both ends of what is held: all of it is looked at where a rule fires.
        near = [one for id_ in self._need for one in self._ends(value, id_, now)]
        truths = list_truths(self._conditions, near)
        if not truths[-1].spans:
            return None
        young = (one for one in self._held[value].values() if self._is_young(one, now))
        return CellTruth(
            "", value, 0, "", self._pick.value, truths, tuple(sorted(young, key=_place))
        )

    def _ends(self, value: str | None, condition_id: str, now: datetime) -> list[WaitingOccurrence]:
        held = self._in_order[value, condition_id]
        if self._need[condition_id] > 1:
            return [one for one in held if self._is_young(one, now)]
        first, last = (
            islice((one for one in some if self._is_young(one, now)), SHOWN)
            for some in (held, reversed(held))
        )
        return list({one.key: one for one in (*first, *last)}.values())

    def _is_young(self, one: WaitingOccurrence, now: datetime) -> bool:
        return self._until.get(one.key, now) >= now

    def _consume(self, value: str | None, firing: dict[str, Any], now: datetime) -> Fired:
        held, taken = self._held[value], firing["taken"]
        keys = list(held) if taken is None else [one["key"] for one in taken]
        consumed = sorted((held[key] for key in keys), key=_place)
        self._drop(value, keys)
        return Fired(now, value, firing["reason"], tuple(consumed), frozenset(firing["chosen"]))

    def _drop(self, value: str | None, keys: Sequence[str]) -> None:
        gone = {key: self._held[value].pop(key) for key in set(keys)}
        self._gone |= gone.keys()
        for id_ in {one.condition_id for one in gone.values()}:
            kept = [one for one in self._in_order[value, id_] if one.key not in gone]
            self._in_order[value, id_] = kept


def _place(one: WaitingOccurrence) -> tuple[int, str]:
    return one.at, one.key


def _held(row: dict[str, Any], at: datetime) -> WaitingOccurrence:
    subject = row.get("run_id") or row.get("version_key") or row.get("event_id")
    return WaitingOccurrence(
        condition_id=row["condition_id"],
        key=row["key"],
        at=(at - _EPOCH) // _MICROSECOND,
        status=row["status"],
        part=row["part"],
        occurred_at=at,
        subject=subject or row["condition_id"],
    )
