"""The cells of a trigger in memory: what occurred and is not consumed, and what that makes true."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.model.trigger import Pick
from lineagegraph.scheduling.condition_nodes import Node, node_properties
from lineagegraph.scheduling.fire import firing_of
from lineagegraph.scheduling.notice import time_of
from lineagegraph.scheduling.preview.truths import list_truths
from lineagegraph.store.cells import CellTruth, Held

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Fired(msgspec.Struct, frozen=True):
    """A firing: what it took of the cell of a value, and of that the keys whose payload counts."""

    at: datetime
    value: str | None
    reason: str
    taken: tuple[Held, ...]
    chosen: frozenset[str]


class Cells:
    """The cells of one trigger; what was consumed or expired stays so."""

    def __init__(self, nodes: Sequence[Node], pick: Pick) -> None:
        self._nodes = nodes
        self._pick = pick
        self._lasts = {node.id: node_properties(node)["lasts"] for node in nodes}
        self._held: dict[str | None, dict[str, Held]] = {}
        self._until: dict[str, datetime] = {}
        self._gone: set[str] = set()

    def note(self, rows: Sequence[dict[str, Any]], begun_at: datetime | None) -> set[str | None]:
        """Note what occurred since the last reset, each once; return the values of its cells."""
        touched = set()
        for row in rows:
            at = time_of(row["occurred_at"])
            if row["key"] in self._gone or (begun_at is not None and at < begun_at):
                continue
            held = _held(row, at)
            self._held.setdefault(row["cell_value"], {})[held.key] = held
            if (lasts := self._lasts[held.condition_id]) is not None:
                self._until[held.key] = at + timedelta(seconds=lasts)
            touched.add(row["cell_value"])
        return touched

    def fire(self, values: set[str | None], now: datetime) -> Iterator[Fired]:
        """Fire those of the cells that are true; again, where something is left for it."""
        for value in sorted(values, key=lambda value: value or ""):
            while cell := self._true(value, now):
                yield self._consume(cell, now)
                if self._pick is not Pick.FIRST:
                    break

    def expire(self, condition_id: str | None = None, before: datetime | None = None) -> None:
        """Let expire what a condition has, or what occurred before a time."""
        for held in self._held.values():
            gone = [
                key
                for key, one in held.items()
                if (before is not None and one.occurred_at < before)
                or one.condition_id == condition_id
            ]
            self._drop(held, gone)

    def last_until(self, condition_id: str, until: datetime) -> None:
        """Let what a condition has count until a time."""
        for held in self._held.values():
            for key, one in held.items():
                if one.condition_id == condition_id:
                    self._until[key] = until

    def _true(self, value: str | None, now: datetime) -> CellTruth | None:
        young = [
            one
            for key, one in self._held.get(value, {}).items()
            if key not in self._until or self._until[key] >= now
        ]
        in_order = sorted(young, key=lambda one: (one.at, one.key))
        truths = list_truths(self._nodes, in_order)
        cell = CellTruth("", value, 0, "", self._pick.value, truths, tuple(in_order))
        return cell if cell.root.spans else None

    def _consume(self, cell: CellTruth, now: datetime) -> Fired:
        firing = firing_of(cell)
        held = self._held[cell.value]
        keys = list(held) if firing["keys"] is None else firing["keys"]
        taken = sorted((held[key] for key in set(keys)), key=lambda one: (one.at, one.key))
        self._drop(held, keys)
        return Fired(now, cell.value, firing["reason"], tuple(taken), frozenset(firing["chosen"]))

    def _drop(self, held: dict[str, Held], keys: Sequence[str]) -> None:
        for key in set(keys):
            del held[key]
        self._gone |= set(keys)


def _held(row: dict[str, Any], at: datetime) -> Held:
    subject = row.get("run_id") or row.get("version_key") or row.get("event_id")
    return Held(
        condition_id=row["condition_id"],
        key=row["key"],
        at=(at - _EPOCH) // _MICROSECOND,
        status=row["status"],
        part=row["part"],
        occurred_at=at,
        subject=subject or row["condition_id"],
    )
