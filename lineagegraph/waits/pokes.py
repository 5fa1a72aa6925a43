"""Settle pokes."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Route
from lineagegraph.store.sensors import sensors
from lineagegraph.triggers.react import MAX_EVENT_AGE
from lineagegraph.waits.answers import settle_answers
from lineagegraph.waits.poke import Claims, Poke, PokeOutcome, Settled, claim_held, row_of
from lineagegraph.waits.source_times import keep_source_times


def settle_pokes(
    tx: Transaction,
    claims: Claims,
    pokes: Sequence[Poke],
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> Settled:
    """Store results of pokes, end satisfied waits, and fire triggers on sensors that turned true.

    A poke satisfies a wait that began before it. Pokes of shards that other processes hold now do
    not count. An error is neither true nor false: errors are counted until the next answer.
    """
    held = claim_held(
        tx, {poke.shard: claims[poke.shard] for poke in pokes if poke.shard in claims}
    )
    counted = sorted((one for one in pokes if one.shard in held), key=lambda one: one.id)
    rows = [row_of(one, "id", "began_at", "is_true", "error", "broke") for one in counted]
    latest = {one.id: one for one in sensors.settle_pokes(tx, rows=rows, now=now)}
    judged = {one.id for one in latest.values() if one.is_judged}
    keep_source_times(tx, [one for one in counted if one.id in judged])
    found = [
        _answer(one, one.is_true, one.id in latest) for one in counted if one.is_true is not None
    ]
    settled = settle_answers(tx, found, max_event_age=max_event_age, routes=routes, now=now)
    refused = frozenset(one.shard for one in pokes) - held
    return msgspec.structs.replace(settled, refused=refused)


def _answer(poke: Poke, is_true: bool, is_latest: bool) -> PokeOutcome:
    message = f"found by the poke of {poke.began_at:%F %T%z}"
    return PokeOutcome(
        id=poke.id,
        began_at=poke.began_at,
        is_true=is_true,
        message=message,
        is_latest=is_latest,
        value=poke.value,
        items=poke.items,
        cursor=poke.cursor,
        after=poke.after,
    )
