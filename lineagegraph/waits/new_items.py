"""New items of sensors: each fires the triggers that watch its sensor, once."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.triggers.sensor_event import SENSOR_EVENT
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import Taker
from lineagegraph.store.triggers import triggers
from lineagegraph.store.triggers.external_events import merge_sensor_events
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.reset import record_and_fire
from lineagegraph.triggers.start import Started
from lineagegraph.waits.poke import PokeOutcome, row_of

_ITEM = "ITEM"


class TakenItems(NamedTuple):
    """The runs that new items started, and the sensors whose cursors moved."""

    started: tuple[Started, ...] = ()
    moved: frozenset[str] = frozenset()


def take_new_items(
    tx: Transaction, answers: Iterable[PokeOutcome], now: datetime | None
) -> TakenItems:
    """Fire triggers on new items, and set the cursors of their sensors, both or neither.

    Only an answer to a poke with the present cursor counts. So no item is lost or repeated, whoever
    settles, however late, and whenever a process ends.
    """
    known = {one.id: one for one in answers}
    ids = sensors.due_items(tx, rows=[row_of(one, "id", "after") for one in known.values()])
    if not ids:
        return TakenItems()
    triggers.claim_triggers(tx, ids=ids)
    pause = get_pause(tx, now=now)
    if pause and not pause.is_over:
        return TakenItems()
    rows = [row_of(one, "id", "began_at", "after", "cursor") for one in known.values()]
    takers = sensors.claim_cursors(tx, rows=rows, now=now)
    moved = frozenset(one.sensor_id for one in takers)
    events = {id_: list(_events(known[id_])) for id_ in sorted(moved)}
    merge_sensor_events(tx, rows=[event for some in events.values() for event in some], now=now)
    occurred = [_row(one, event["id"]) for one in takers for event in events[one.sensor_id]]
    return TakenItems(tuple(record_and_fire(tx, occurred, now) if occurred else ()), moved)


def _events(one: PokeOutcome) -> Iterator[dict[str, Any]]:
    """Yield the rows that `store.external_events.merge_sensor_events` takes.

    Ids are in the order of the items, as equal times are ordered by them.
    """
    name, items = f"{SENSOR_EVENT}{one.id}", one.items or ()
    batch = new_id()
    for number, payload in enumerate(items):
        yield {"id": f"{name} {batch} {number:04}", "name": name, "payload": payload}


def _row(taker: Taker, event_id: str) -> dict[str, Any]:
    """Return the row that `store.occurrences.link_occurrences` takes."""
    at = taker.at.isoformat()
    return {
        "trigger_id": taker.trigger_id,
        "condition_id": taker.condition_id,
        "cell_id": taker.trigger_id,
        "cell_value": None,
        "event_id": event_id,
        "key": f"{taker.condition_id} {event_id}",
        "status": _ITEM,
        "part": event_id,
        "occurred_at": at,
    }
