"""External events and the triggers that they fire."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.graph import Transaction
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.temporary import in_utc
from lineagegraph.model.triggers.sensor_event import SENSOR_EVENT
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.triggers.external_events import merge_external_event
from lineagegraph.triggers.react import MAX_EVENT_AGE, react_to_events
from lineagegraph.triggers.start import Started

LONGEST_NAME = 200
LARGEST = 64 * 1024


class RecordedEvent(msgspec.Struct, frozen=True):
    """A stored external event, whether it is new, and its firings."""

    id: str
    name: str
    occurred_at: datetime
    is_new: bool
    started: tuple[Started, ...]


def record_event(
    tx: Transaction,
    name: str,
    *,
    payload: Mapping[str, Any] | None = None,
    event_id: str | None = None,
    occurred_at: datetime | None = None,
    run_id: str | None = None,
    max_event_age: timedelta = MAX_EVENT_AGE,
    now: datetime | None = None,
) -> RecordedEvent:
    """Store an event and fire its triggers; the same id is the same event.

    `run_id` is the run that sent it, if one did.
    Raises `InvalidRule` if the name is empty, too long or that of a sensor's answer, or if the
    payload has more than 64 kB.
    """
    text = _payload(payload)
    if not name or len(name) > LONGEST_NAME:
        raise InvalidRule(f"an event's name has 1 to {LONGEST_NAME} characters, not {len(name)}")
    event_id = event_id or new_id()
    if len(event_id) > LONGEST_NAME:
        raise InvalidRule(f"an event's id has at most {LONGEST_NAME} characters")
    if name.startswith(SENSOR_EVENT) or event_id.startswith(SENSOR_EVENT):
        raise InvalidRule(f"names and ids with {SENSOR_EVENT!r} are those of sensors: use others")
    kept = merge_external_event(
        tx,
        id=event_id,
        name=name,
        payload=text,
        occurred_at=_at(occurred_at),
        token=new_id(),
        run_id=run_id,
        now=now,
    )
    if kept.name != name:
        raise InvalidRule(f"the id {event_id!r} is that of an event {kept.name!r}: use another")
    if kept.is_new:
        audit(tx, "event.report", event_id, name=name)
    fired = react_to_events(tx, [event_id], max_event_age=max_event_age, now=now)
    return RecordedEvent(event_id, kept.name, kept.occurred_at, kept.is_new, tuple(fired))


def _at(time: datetime | None) -> str | None:
    if time is None:
        return None
    return in_utc(time.replace(tzinfo=time.tzinfo or UTC), InvalidRule).isoformat()


def _payload(payload: Mapping[str, Any] | None) -> str | None:
    try:
        text = json.dumps(payload, ensure_ascii=False, allow_nan=False) if payload else None
    except ValueError as error:
        raise InvalidRule(f"the payload is not JSON: {error}") from None
    if text and len(text.encode()) > LARGEST:
        raise InvalidRule(
            f"the payload has {len(text.encode())} bytes, and at most {LARGEST} are kept: "
            "send the place of large data instead"
        )
    return text
