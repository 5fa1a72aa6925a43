"""Firings of triggers: decisions, reasons and results."""

from lineagegraph.graph import Graph
from lineagegraph.queries.triggers.triggers import read_trigger
from lineagegraph.store.runs.history import ConsumedRow, FiringRow, list_firings


def read_firings(graph: Graph, trigger: str | None = None, limit: int = 20) -> list[FiringRow]:
    """Return the newest firings, of one trigger or of all."""
    if trigger is None:
        return graph.read(list_firings, trigger=None, limit=limit)
    return list(read_trigger(graph, trigger, firings=limit).firings)


def reason_of(firing: FiringRow) -> str:
    """Return a firing's reason, or its consumed occurrences if none was stored."""
    return firing.reason or ", ".join(map(said, firing.consumed)) or "unknown"


def said(consumed: ConsumedRow) -> str:
    """Return a consumed occurrence as text."""
    if consumed.kind == "run":
        return f"{consumed.name} {consumed.state}"
    if consumed.kind == "dataset":
        return f"{consumed.name} written"
    return f"time of {consumed.name}"
