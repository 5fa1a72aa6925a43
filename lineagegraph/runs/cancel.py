"""Cancel a run."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Route
from lineagegraph.reactions.end_runs import commit_ends, failure_events
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.runs import launches
from lineagegraph.triggers.react import MAX_EVENT_AGE

DIED = "it was cancelled, and its worker process had died"
_HELD_BY_NOBODY = {
    "SENSING": "the wait was cancelled",
    "UNCLAIMED": "it was cancelled before it started",
    "LAPSED": DIED,
}


def cancel_run(
    tx: Transaction,
    run_id: str,
    *,
    max_event_age: timedelta = MAX_EVENT_AGE,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> bool:
    """Ask the worker of a run to end it; without a worker end it here. False: no such run.

    A daemon ends the run of a worker that does not answer.
    Its sensors are no longer poked for it.
    """
    launch = launches.set_cancelled(tx, id=run_id, now=now)
    if launch is not None:
        audit(tx, "run.cancel", run_id, before={"launch": launch})
    if launch in _HELD_BY_NOBODY:
        lost = launches.list_open(tx, id=run_id)
        events = failure_events(lost, "CANCELLED", _HELD_BY_NOBODY[launch], "ABORT")
        commit_ends(tx, run_id, events, max_event_age=max_event_age, routes=routes, now=now)
        launches.release_run(tx, id=run_id)
    return launch is not None
