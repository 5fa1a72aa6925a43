"""Triggers: what each waits for, and what it has in hand."""

import msgspec

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph
from lineagegraph.store.catalog import ConditionRow, TriggerRow, list_triggers, walk_conditions
from lineagegraph.store.history import FiringRow, list_firings


class WaitingFor(msgspec.Struct, frozen=True):
    """A condition and its operands; a leaf with unconsumed occurrences is true."""

    condition: ConditionRow
    operands: tuple["WaitingFor", ...] = ()

    @property
    def is_true(self) -> bool:
        """Whether it holds now."""
        values = [operand.is_true for operand in self.operands]
        if self.condition.operator == "AND":
            return all(values)
        return any(values) if values else self.condition.occurrences > 0


class WholeTrigger(msgspec.Struct, frozen=True):
    """A trigger with its condition tree and its newest firings."""

    trigger: TriggerRow
    condition: WaitingFor | None
    firings: tuple[FiringRow, ...]


def read_triggers(graph: Graph, limit: int = 1000) -> list[TriggerRow]:
    """Return the triggers by the job that they start."""
    return graph.read(list_triggers, limit=limit)


def read_trigger(graph: Graph, name: str, firings: int = 10) -> WholeTrigger:
    """Return the trigger that has that id or name, or that is the only one to start that job."""
    trigger = _find(read_triggers(graph), name)
    return WholeTrigger(
        trigger,
        _tree(graph.read(walk_conditions, id=trigger.id)),
        tuple(graph.read(list_firings, trigger=trigger.id, limit=firings)),
    )


def _find(triggers: list[TriggerRow], name: str) -> TriggerRow:
    for found in (
        [t for t in triggers if t.id == name],
        [t for t in triggers if t.name == name],
        [t for t in triggers if t.starts == name],
    ):
        if len(found) > 1:
            ids = ", ".join(trigger.id for trigger in found)
            raise Ambiguous(f"{name!r} is the name of several triggers: {ids}: name one by its id")
        if found:
            return found[0]
    raise NotFound(f"no trigger {name!r}: `lineagegraph trigger list` lists them")


def _tree(rows: list[ConditionRow]) -> WaitingFor | None:
    below: dict[str | None, list[ConditionRow]] = {}
    for row in rows:
        below.setdefault(row.parent, []).append(row)

    def waiting_for(row: ConditionRow) -> WaitingFor:
        return WaitingFor(row, tuple(waiting_for(child) for child in below.get(row.id, ())))

    return waiting_for(rows[0]) if rows else None
