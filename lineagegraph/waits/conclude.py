"""Conclude waits: end or continue their runs, in the same transaction."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.extract import extract
from lineagegraph.model.outbox.routes import Route
from lineagegraph.reactions.commit import commit
from lineagegraph.store.runs import launches
from lineagegraph.store.sensors import sensor_callbacks, sensors
from lineagegraph.store.sensors.sensors import ClaimedWait, WokenWaiter
from lineagegraph.text import format_duration
from lineagegraph.triggers.start import Started
from lineagegraph.waits.callbacks import callback
from lineagegraph.waits.end_events import end_event


class EndedWait(msgspec.Struct, frozen=True, kw_only=True):
    """A wait that ended, or an attempt of one: then its `event` is retry."""

    run_id: str  # id of the run that waits
    root_id: str  # id of the executed run that contains it, or its own if there is none
    sensor_id: str  # id of the sensor
    namespace: str  # namespace that the run's producer gives it
    name: str  # name that the run's producer gives it
    event: str  # success, failed, skipped or retry
    reason: str | None  # TIMEOUT or SENSOR_FAILED; None for a success
    message: str  # outcome in words
    attempt: int  # number of the attempt, from 1; for a retry the one that begins
    is_alone: bool  # whether the run is not a part of an executed one
    function: str | None  # callback of the event as `module:function`; None without one
    at: str  # time of the end in ISO 8601, by the database's clock

    @classmethod
    def of(cls, wait: ClaimedWait, **how: Any) -> "EndedWait":
        """Return how a wait ended: `event`, `reason`, `message`, `attempt`, `function`, `at`."""
        return cls(
            run_id=wait.run_id,
            root_id=wait.root_id,
            sensor_id=wait.sensor_id,
            namespace=wait.namespace,
            name=wait.name,
            is_alone=wait.is_alone,
            **how,
        )


def over_text(attempt: int, retries: int, span: float, why: str = "") -> str:
    """Return the line for an attempt whose time is over."""
    return f"attempt {attempt} of {retries + 1}: timed out after {format_duration(span)}{why}"


def conclude(
    tx: Transaction,
    ended: Sequence[EndedWait],
    *,
    max_event_age: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> tuple[list[WokenWaiter], list[Started]]:
    """End standalone runs, let the others continue, and store their callbacks."""
    sensor_callbacks.merge_callbacks(tx, rows=_callbacks(ended), now=now)
    over = [one for one in ended if one.event != "retry"]
    started = end_alone(tx, [one for one in over if one.is_alone], max_event_age, routes, now)
    roots = sorted({one.root_id for one in over if not one.is_alone})
    return sensors.settle_roots(tx, ids=roots, now=now), started


def end_alone(
    tx: Transaction,
    ended: Iterable[EndedWait],
    max_event_age: timedelta,
    routes: Sequence[Route],
    now: datetime | None,
) -> list[Started]:
    """Commit the ends of runs without a worker, and fire their triggers."""
    events = [_end(one) for one in ended]
    if not events:
        return []
    started = commit(tx, extract(events), max_event_age=max_event_age, routes=routes, now=now)
    launches.release_sensing(tx, run_ids=[event["run"]["runId"] for event in events])
    return started


def _end(one: EndedWait) -> dict[str, Any]:
    return end_event(
        one.run_id, one.namespace, one.name, one.at, one.event, one.reason, one.message
    )


def _callbacks(ended: Sequence[EndedWait]) -> list[dict[str, Any]]:
    return [
        callback(
            run_id=one.run_id,
            sensor_id=one.sensor_id,
            event="failure" if one.event in ("failed", "skipped") else one.event,
            function=one.function,
            message=one.message,
            attempt=one.attempt,
        )
        for one in ended
        if one.function
    ]
