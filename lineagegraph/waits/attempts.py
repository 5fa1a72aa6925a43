"""Attempts that are over: another begins, or the wait ends."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.waits import attempt_seconds
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import OverAttempt
from lineagegraph.text import format_duration
from lineagegraph.triggers.react import MAX_EVENT_AGE
from lineagegraph.waits.conclude import EndedWait, conclude, over_text
from lineagegraph.waits.poke import Claims, Settled, claim_held

_MOST = 1000
# A shorter attempt, as earlier versions took it, may round to nothing.
_SHORTEST = timedelta(milliseconds=1)


def settle_timeouts(
    tx: Transaction,
    claims: Claims,
    *,
    most: int = _MOST,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> Settled:
    """Retry waits whose attempt is over, as often as their terms allow, or end them.

    An attempt ends when its time is over, however late this is called: all attempts together take
    as long as one, times their number.
    """
    due = sensors.due_attempts(tx, shards=sorted(claims), most=most, now=now)
    shards = {one.shard for one in due}
    held = claim_held(tx, {shard: claims[shard] for shard in shards})
    ids = sorted(one.run_id for one in due if one.shard in held)
    over = sensors.claim_attempts(tx, run_ids=ids, now=now)
    turns = [_turn(one) for one in over]
    sensors.settle_attempts(tx, rows=turns, now=now)
    ended = [event for one, turn in zip(over, turns, strict=True) for event in _events(one, turn)]
    woken, started = conclude(tx, ended, max_event_age=max_event_age, routes=routes, now=now)
    gone = {one.sensor_id for one in ended if one.event != "retry"}
    demand = sensors.settle_demand(tx, ids=sorted(gone), now=now)
    return Settled(
        waits=sum(one.event != "retry" for one in ended),
        retried=sum(one.event == "retry" for one in ended),
        kept=frozenset(one.id for one in demand if one.is_kept),
        dropped=frozenset(one.id for one in demand if not one.is_kept),
        refused=frozenset(shards - held),
        woken=tuple(woken),
        started=tuple(started),
    )


def _turn(one: OverAttempt) -> dict[str, Any]:
    """Return the row that `store.sensors.settle_attempts` takes."""
    span = timedelta(seconds=attempt_seconds(one.timeout, one.execution_timeout))
    span = max(span, _SHORTEST)
    attempts = one.retries + 1
    over = min((one.now - one.began_at) // span, attempts)
    why = f"; the last poke failed: {one.error}" if one.error else ""
    seconds = span.total_seconds()
    lines = [over_text(n, one.retries, seconds, why) for n in range(one.attempt, over + 1)]
    row = {"run_id": one.run_id, "lines": lines}
    if over < attempts:
        # Equal instants of two zones are not equal in Cypher.
        until = (one.began_at + span * (over + 1)).astimezone(UTC)
        ends = {"attempt": over + 1, "attempt_ends_at": until}
        return row | ends | {"state": "up_for_retry", "outcome": None, "message": lines[-1]}
    state = "skipped" if one.soft_fail else "failed"
    total = format_duration((span * attempts).total_seconds())
    message = f"not true within {total}" + (f" ({attempts} attempts)" if attempts > 1 else "")
    ends = {"attempt": attempts, "attempt_ends_at": None, "message": message + why}
    return row | ends | {"state": state, "outcome": state}


def _events(one: OverAttempt, turn: dict[str, Any]) -> Iterator[EndedWait]:
    """Yield a retry for each attempt that began, also those that are over by now, and the end."""
    event = partial(EndedWait.of, one, reason="TIMEOUT", at=one.now.isoformat())
    begun = range(one.attempt + 1, turn["attempt"] + 1)
    for attempt, line in zip(begun, turn["lines"], strict=False):
        yield event(event="retry", message=line, attempt=attempt, function=one.on_retry)
    if turn["outcome"]:
        how = {"message": turn["message"], "attempt": turn["attempt"], "function": one.on_failure}
        yield event(event=turn["outcome"], **how)
