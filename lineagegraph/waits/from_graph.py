"""Sensors that the graph answers: one query for all of a kind."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Route
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import DueAnswer
from lineagegraph.triggers.react import MAX_EVENT_AGE
from lineagegraph.waits.answers import settle_answers
from lineagegraph.waits.poke import Claims, PokeOutcome, Settled, claim_held

# What is told, or begins to wait, is dated before others can see it.
_UNSEEN = timedelta(seconds=10)


def settle_from_graph(
    tx: Transaction,
    claims: Claims,
    *,
    since: datetime | None = None,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> Settled:
    """Settle all sensors of the shards that the graph can answer.

    If no event came `since` the last call (its result has that time as `looked_at`), only sensors
    with new waits are queried.
    """
    looked_at = now or get_time(tx)
    due = _due(tx, sorted(claims), since and since - _UNSEEN, now)
    shards = {one.shard for one in due}
    held = claim_held(tx, {shard: claims[shard] for shard in shards})
    answers = [_answer(one, looked_at) for one in due if one.shard in held]
    rows = [{"id": one.id, "is_true": one.is_true} for one in answers]
    sensors.set_answered(tx, rows=rows, now=now)
    settled = settle_answers(tx, answers, max_event_age=max_event_age, routes=routes, now=now)
    sensors.settle_taken(tx, ids=sensors.due_taken(tx, shards=sorted(claims)))
    refused = frozenset(shards - held)
    return msgspec.structs.replace(settled, refused=refused, looked_at=looked_at)


def _due(
    tx: Transaction, shards: list[int], since: datetime | None, now: datetime | None
) -> list[DueAnswer]:
    if since and sensors.get_heard(tx, since=since):
        since = None
    return [
        *sensors.due_times(tx, shards=shards, now=now),
        *sensors.due_datasets(tx, shards=shards, since=since),
        *sensors.due_runs(tx, shards=shards, since=since),
    ]


def _answer(one: DueAnswer, now: datetime) -> PokeOutcome:
    if one.ended:
        message = f"the run ended {one.ended}"
        return PokeOutcome(id=one.id, began_at=now, is_true=False, message=message, final=True)
    message = f"found in the graph at {now:%F %T%z}"
    return PokeOutcome(id=one.id, began_at=one.at or now, is_true=True, message=message)
