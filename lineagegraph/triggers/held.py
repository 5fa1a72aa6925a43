"""Firings that constraints keep back: started once these allow it, or expired."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.triggers import firings
from lineagegraph.triggers.start import Started, start_firings

_MOST_ROUNDS = 50
_AT_ONCE = 100
_EXPIRED = "it was held for longer than its ttl"


class _Released(msgspec.Struct, frozen=True):
    started: list[Started]
    is_last: bool


def release_held(
    graph: Graph, *, most: int = _AT_ONCE, now: datetime | None = None
) -> list[Started]:
    """Start held firings that may start now, the oldest of each trigger first; expire old ones.

    Each transaction decides on about `most` of them, so that none locks their jobs for long.
    """
    started: list[Started] = []
    for _ in range(_MOST_ROUNDS):
        released = graph.write(_release, most=most, now=now)
        started += released.started
        if released.is_last:
            break
    return started


def _release(tx: Transaction, *, most: int, now: datetime | None) -> _Released:
    started: list[Started] = []
    count = 0
    while count < most:
        due = firings.due_held(tx, most=most, now=now)
        expired = _expire(tx, [one.key for one in due if one.expired], now)
        fired = start_firings(tx, [one.key for one in due if not one.expired], now)
        started += fired
        if not fired and not expired:
            return _Released(started, is_last=True)
        count += len(fired) + expired
    return _Released(started, is_last=False)


def _expire(tx: Transaction, keys: Sequence[str], now: datetime | None) -> int:
    """Give up firings that nobody started meanwhile, and return their number."""
    waiting = firings.claim_jobs(tx, keys=list(keys))
    rows = [{"key": one.key, "state": "EXPIRED", "text": _EXPIRED} for one in waiting]
    firings.set_states(tx, rows=rows, now=now)
    return len(rows)
