"""Forget and redrive targets by hand."""

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.outbox import forwards

_PART = 5_000


def forget_target(graph: Graph, name: str) -> None:
    """Forget a target and its queue; raise `NotFound` if there is none."""

    def forget(tx: Transaction) -> None:
        _check(tx, name)
        audit(tx, "target.forget", name)
        forwards.delete_target(tx, name=name)

    graph.write(forget)
    while graph.write(forwards.delete_queued, name=name, limit=_PART):
        pass


def redrive_target(graph: Graph, name: str) -> int:
    """Queue refused events of a target again and return their number; raise `NotFound`."""

    def redrive(tx: Transaction) -> int:
        _check(tx, name)
        redriven = forwards.set_redriven(tx, name=name)
        audit(tx, "target.redrive", name, after={"events": redriven})
        return redriven

    return graph.write(redrive)


def _check(tx: Transaction, name: str) -> None:
    names = [found.name for found in forwards.list_targets(tx)]
    if name not in names:
        has = ", ".join(names) or "none"
        raise NotFound(f"no target {name!r}: the graph has {has}")
