"""Storms: triggers that cause themselves without end.

A firing follows another if a run of that one made it true: by its end, by what it wrote, by an
event that it sent, or by a run that it asked for. All firings of such a chain have the first one as
their root. Times and people begin new chains, so that a schedule may fire for years.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import structlog

from lineagegraph.graph import Transaction
from lineagegraph.settings import load_settings
from lineagegraph.store.triggers import firings
from lineagegraph.store.triggers.firings import ClaimedFiring
from lineagegraph.triggers.write import enable_trigger

log = structlog.get_logger()
_LONGEST = 1000


def claim_unlimited(
    tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None
) -> frozenset[str]:
    """Claim firings, and return the keys of those that may start a run.

    A trigger that caused itself more often than the limit is suspended, and the firing becomes a
    dead letter. Others that the same storm reaches continue.
    """
    limit = load_settings().trigger_repeat_limit
    claimed = firings.claim_firings(tx, rows=list(rows), most=limit + 1, now=now)
    often = {one.trigger_id: one for one in claimed if one.turns > limit}
    reasons = {id_: _suspend(tx, one, now) for id_, one in often.items()}
    stopped = {one.key: why for one in claimed if (why := reasons.get(one.trigger_id))}
    dead = [{"key": key, "state": "DEAD_LETTER", "text": why} for key, why in stopped.items()]
    firings.set_states(tx, rows=dead, now=now)
    return frozenset(one.key for one in claimed if one.key not in stopped)


def _suspend(tx: Transaction, firing: ClaimedFiring, now: datetime | None) -> str | None:
    """Suspend a trigger that is part of its own chain, and return the reason."""
    chain = firings.walk_chain(tx, key=firing.key, limit=_LONGEST)
    turns = [at for at, one in enumerate(chain) if one.trigger_id == firing.trigger_id]
    if len(turns) == 1:
        return None
    path = " → ".join(one.job for one in reversed(chain[: turns[1] + 1]))
    because = f"it caused itself, {firing.turns - 1} times from one cause: {path}"
    enable_trigger(tx, trigger_id=firing.trigger_id, enabled=False, because=because, now=now)
    log.warning("trigger_suspended", trigger=firing.trigger_id, because=because)
    return because
