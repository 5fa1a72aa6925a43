"""Numbers of state changes: they follow the commits, so a reader of one has missed none before it.

Writers store their changes without numbers and never wait for each other. A reader gives the
numbers, under a lock.
"""

from datetime import datetime, timedelta

from lineagegraph.graph import Graph
from lineagegraph.store.runs import state_changes
from lineagegraph.store.runs.state_changes import Bounds

_NUMBERED, _DELETED = 2000, 1000


def number_changes(graph: Graph, known: int = -1) -> Bounds:
    """Number all committed changes and return the last number.

    Nothing is written if all have numbers and the newest is `known`: the numbers of another process
    are complete only under the lock.
    """
    bounds = graph.read(state_changes.get_bounds)
    if not bounds.unsettled and bounds.newest == known:
        return bounds
    while True:
        done = graph.write(state_changes.settle_numbers, limit=_NUMBERED)
        if done.numbered < _NUMBERED:
            return Bounds(done.newest, done.forgotten, False)


def forget_changes(graph: Graph, age: timedelta, now: datetime | None = None) -> int:
    """Delete the changes that were recorded longer ago than `age`, and return how many."""
    total = 0
    while True:
        deleted = graph.write(state_changes.delete_old, age=age, limit=_DELETED, now=now)
        total += deleted
        if deleted < _DELETED:
            return total
