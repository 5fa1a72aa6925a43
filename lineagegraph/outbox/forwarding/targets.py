"""Forget and redrive targets by hand."""

from collections.abc import Callable
from datetime import datetime, timedelta

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.outbox import forwards

_PART = 5_000


def forget_target(graph: Graph, name: str) -> None:
    """Forget a target and its queue; raise `NotFound` if there is none."""

    graph.read(_check, name)

    def is_known(tx: Transaction) -> bool:
        _check(tx, name)
        return True

    _forget(graph, name, is_known)


def forget_unseen_target(graph: Graph, name: str, age: timedelta, now: datetime | None) -> bool:
    """Forget a target and its queue; return False if a daemon has used it meanwhile."""

    def is_unseen(tx: Transaction) -> bool:
        return bool(forwards.claim_unseen(tx, name=name, age=age, now=now))

    return _forget(graph, name, is_unseen)


def _forget(graph: Graph, name: str, may_go: Callable[[Transaction], bool]) -> bool:
    """Forget a target in parts, as long as it may go; it goes last, so this can be repeated."""

    def delete_some(tx: Transaction) -> int:
        return forwards.delete_queued(tx, name=name, limit=_PART) if may_go(tx) else 0

    def delete(tx: Transaction) -> bool:
        if not may_go(tx):
            return False
        audit(tx, "target.forget", name)
        while forwards.delete_queued(tx, name=name, limit=_PART):
            pass
        forwards.delete_target(tx, name=name)
        return True

    while graph.write(delete_some):
        pass
    return graph.write(delete)


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
