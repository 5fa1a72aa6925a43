"""Commit events with their notifications and firings, in one transaction."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.forward import queue_events
from lineagegraph.ingest.record import record
from lineagegraph.ingest.verdicts import judged_datasets
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.states import FINAL
from lineagegraph.outbox.notifications import notify_failed_attempts, notify_states
from lineagegraph.triggers.react import MAX_EVENT_AGE, react
from lineagegraph.triggers.start import Started


def commit(
    tx: Transaction,
    batch: Batch,
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    own: bool = True,
    now: datetime | None = None,
) -> list[Started]:
    """Record a batch of events, queue notifications, and fire the triggers that become true.

    `own` events come from our runs; some forwarding targets get only these.
    """
    changes = record(tx, batch, now)
    queue_events(tx, batch, own=own)
    ended = [c.run_id for c in changes if c.after in FINAL]
    notify_states(tx, changes, routes, max_event_age=max_event_age, now=now)
    notify_failed_attempts(tx, batch.failed_attempts, routes, max_event_age=max_event_age, now=now)
    # What a run wrote may be told after its end.
    written = [run_id for run_id, facts in batch.runs.items() if facts.outputs]
    judged = judged_datasets(batch)
    return react(tx, [*ended, *written], judged=judged, max_event_age=max_event_age, now=now)
