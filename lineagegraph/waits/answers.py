"""Answers of sensors, settled for all their waits in one transaction."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.sensor_event import SENSOR_EVENT
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import MetWait, Turned
from lineagegraph.store.triggers import triggers
from lineagegraph.store.triggers.external_events import merge_external_event
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.pause import is_after
from lineagegraph.triggers.reset import record_and_fire
from lineagegraph.triggers.start import Started
from lineagegraph.waits.conclude import EndedWait, conclude, over_text
from lineagegraph.waits.new_items import take_new_items
from lineagegraph.waits.poke import PokeOutcome, Settled, row_of

_TURNED = "TRUE"


def react_to_turned(
    tx: Transaction, rows: Sequence[dict[str, Any]], now: datetime | None
) -> list[Started]:
    """Fire triggers on sensors that turned true: each turn is an occurrence of the leaf.

    A sensor that is true at its first poke has turned true.
    """
    ids = sensors.due_turned(tx, rows=list(rows))
    if not ids:
        return []
    triggers.claim_triggers(tx, ids=ids)
    turned = sensors.settle_turned(tx, rows=list(rows), now=now)
    if pause := get_pause(tx, now=now):
        turned = [one for one in turned if is_after(pause, one.began_at)]
    if not turned:
        return []
    return record_and_fire(tx, [_row(one, _keep_value(tx, one, now)) for one in turned], now)


def _keep_value(tx: Transaction, one: Turned, now: datetime | None) -> str | None:
    """Store the value of an answer as an event, once for all triggers; return the event's id.

    Only the occurrence refers to it: it is no external event for triggers on events.
    """
    if one.value is None:
        return None
    id_ = f"{SENSOR_EVENT}{one.sensor_id} {one.began_at.isoformat()}"
    merge_external_event(
        tx,
        id=id_,
        name=f"{SENSOR_EVENT}{one.sensor_id}",
        payload=one.value,
        occurred_at=None,
        token=new_id(),
        run_id=None,
        now=now,
    )
    return id_


def _row(one: Turned, event_id: str | None) -> dict[str, Any]:
    """Return the row that `store.occurrences.link_occurrences` takes."""
    at = one.at.isoformat()
    return {
        "trigger_id": one.trigger_id,
        "condition_id": one.condition_id,
        "cell_id": one.trigger_id,
        "cell_value": None,
        "event_id": event_id,
        "key": f"{one.condition_id} {at} {_TURNED}",
        "status": _TURNED,
        "part": at,
        "occurred_at": at,
    }


def _turn(one: PokeOutcome) -> dict[str, Any]:
    """Return an answer as a turn: new items are none, they fire on their own."""
    is_true = one.is_true and one.items is None
    return row_of(one, "id", "began_at", "value") | {"is_true": is_true}


def settle_answers(
    tx: Transaction,
    answers: Sequence[PokeOutcome],
    *,
    max_event_age: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> Settled:
    """End the waits that answers satisfy, and fire triggers on sensors that turned true."""
    ordered = sorted(answers, key=lambda one: one.id)
    ending = [one for one in ordered if one.is_true or one.final]
    rows = [row_of(one, "id", "began_at", "is_true", "message", "value") for one in ending]
    met = sensors.settle_met(tx, rows=rows, now=now)
    events = [event for one in met for event in list_events(one)]
    woken, started = conclude(tx, events, max_event_age=max_event_age, routes=routes, now=now)
    fired = react_to_turned(tx, [_turn(one) for one in ordered if one.is_latest], now)
    taken = take_new_items(tx, [one for one in ordered if one.items is not None], now)
    demand = sensors.settle_demand(tx, ids=[one.id for one in ending], now=now)
    return Settled(
        waits=len(met),
        kept=frozenset(one.id for one in demand if one.is_kept),
        dropped=frozenset(one.id for one in demand if not one.is_kept),
        woken=tuple(woken),
        started=(*started, *fired, *taken.started),
        moved=taken.moved,
    )


def list_events(one: MetWait) -> Iterator[EndedWait]:
    """Yield the retries that were over before the answer and not counted yet, and the end."""
    for attempt in range(one.known_attempt, one.attempt):
        yield EndedWait.of(
            one,
            event="retry",
            reason="TIMEOUT",
            message=over_text(attempt, one.retries, one.span),
            attempt=attempt + 1,
            function=one.on_retry,
            at=one.now,
        )
    is_met = one.state == "success"
    yield EndedWait.of(
        one,
        event=one.state,
        reason=None if is_met else "SENSOR_FAILED",
        message=one.message,
        attempt=one.attempt,
        function=one.on_success if is_met else one.on_failure,
        at=one.now,
    )
