"""Triggers with their conditions and pending occurrences."""

from datetime import datetime
from difflib import get_close_matches

import msgspec

from lineagegraph.errors import Ambiguous, NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.jobs.pages import Cut, Page
from lineagegraph.store.runs.history import ConsumedRow, FiringRow, list_firings
from lineagegraph.store.triggers.catalog import (
    ConditionRow,
    TriggerRow,
    WholeTriggerRow,
    count_triggers,
    get_trigger,
    list_named,
    list_triggers,
    walk_conditions,
)

_MOST = 1000


class WaitingFor(msgspec.Struct, frozen=True):
    """A condition and its operands, and the number of pending occurrences of a leaf."""

    condition: ConditionRow
    operands: tuple["WaitingFor", ...] = ()


class WholeTrigger(msgspec.Struct, frozen=True):
    """A trigger with its condition tree and its newest firings."""

    trigger: WholeTriggerRow
    condition: WaitingFor | None
    firings: tuple[FiringRow, ...]


def read_triggers(graph: Graph, limit: int = 1000) -> list[TriggerRow]:
    """Return the triggers by the job that they start."""
    return graph.read(list_triggers, namespace=None, starts=None, limit=limit, offset=0)


def read_starting(graph: Graph, namespace: str, fqn: str) -> list[TriggerRow]:
    """Return the triggers that start a job."""
    return graph.read(list_triggers, namespace=namespace, starts=fqn, limit=_MOST, offset=0)


def page_triggers(graph: Graph, namespace: str | None, cut: Cut) -> Page[TriggerRow]:
    """Return the triggers that start jobs of a namespace, or all, by job."""

    def work(tx: Transaction) -> Page[TriggerRow]:
        rows = list_triggers(
            tx, namespace=namespace, starts=None, limit=cut.limit, offset=cut.offset
        )
        return Page(tuple(rows), count_triggers(tx, namespace=namespace))

    return graph.read(work)


def find_trigger(graph: Graph, name: str) -> WholeTriggerRow:
    """Return the trigger with that id or name, or the only one that starts that job.

    Raise `NotFound`, or `Ambiguous` with the ids of those that match.
    """
    found = graph.read(list_named, name=name)
    best = [one.id for one in found if one.rank == found[0].rank]
    if len(best) > 1:
        ids = ", ".join(best[:20])
        raise Ambiguous(f"{name!r} matches several triggers: {ids}: use an id")
    trigger = graph.read(get_trigger, id=best[0]) if best else None
    if trigger is None:
        names = {text for one in read_triggers(graph) for text in (one.name, one.starts) if text}
        close = get_close_matches(name, sorted(names), n=3)
        listed = "`lineagegraph trigger list` lists them"
        advice = f"did you mean {', '.join(close)}?" if close else listed
        raise NotFound(f"no trigger {name!r}: {advice}")
    return trigger


def read_trigger(
    graph: Graph, name: str, firings: int = 10, until: datetime | None = None
) -> WholeTrigger:
    """Return the trigger with that id or name, or the only one that starts that job.

    Its firings are the newest ones `until` a time.
    """
    trigger = find_trigger(graph, name)
    return WholeTrigger(
        trigger,
        _tree(graph.read(walk_conditions, id=trigger.id)),
        tuple(graph.read(list_firings, trigger=trigger.id, until=until, limit=firings)),
    )


def _tree(rows: list[ConditionRow]) -> WaitingFor | None:
    below: dict[str | None, list[ConditionRow]] = {}
    for row in rows:
        below.setdefault(row.parent, []).append(row)

    def waiting_for(row: ConditionRow) -> WaitingFor:
        return WaitingFor(row, tuple(waiting_for(child) for child in below.get(row.id, ())))

    return waiting_for(rows[0]) if rows else None


def read_firings(graph: Graph, trigger: str | None = None, limit: int = 20) -> list[FiringRow]:
    """Return the newest firings, of one trigger or of all."""
    if trigger is None:
        return graph.read(list_firings, trigger=None, until=None, limit=limit)
    return list(read_trigger(graph, trigger, firings=limit).firings)


def reason_of(firing: FiringRow) -> str:
    """Return a firing's reason, or its consumed occurrences if none was stored."""
    return firing.reason or ", ".join(map(describe_consumed, firing.consumed)) or "unknown"


def describe_consumed(consumed: ConsumedRow) -> str:
    """Return a consumed occurrence as text."""
    if consumed.kind == "run":
        return f"{consumed.name} {consumed.state}"
    if consumed.kind == "dataset":
        return f"{consumed.name} written"
    return f"time of {consumed.name}"
