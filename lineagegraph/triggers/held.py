"""Firings that constraints keep back: started once these allow it, or expired."""

from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.store.triggers import firings
from lineagegraph.triggers.start import Started, start_firings

_MOST_ROUNDS = 50
_AT_ONCE = 200
_EXPIRED = "it was held for longer than its ttl"


def release_held(
    tx: Transaction, *, most: int = _AT_ONCE, now: datetime | None = None
) -> list[Started]:
    """Start held firings that may start now, the oldest of each trigger first; expire old ones."""
    started: list[Started] = []
    for _ in range(_MOST_ROUNDS):
        due = firings.due_held(tx, most=most, now=now)
        expired = [
            {"key": one.key, "state": "EXPIRED", "text": _EXPIRED} for one in due if one.expired
        ]
        firings.set_states(tx, rows=expired, now=now)
        fired = start_firings(tx, [one.key for one in due if not one.expired], now)
        started += fired
        if not fired and not expired:
            break
    return started
