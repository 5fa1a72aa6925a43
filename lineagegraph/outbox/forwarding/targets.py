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
        while forwards.delete_queued(tx, name=name, limit=_PART):
            pass
        forwards.delete_target(tx, name=name)

    graph.read(_check, name)
    # The target goes last: whoever is interrupted can forget it again.
    while graph.write(forwards.delete_queued, name=name, limit=_PART):
        pass
    graph.write(forget)


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
