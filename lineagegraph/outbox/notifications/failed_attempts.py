"""Notifications of failed attempts that are made again."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Occasion, Route
from lineagegraph.model.runs.failed_attempts import FailedAttempt
from lineagegraph.outbox.notifications.outbox import notify
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.store.outbox import notifications
from lineagegraph.store.outbox.notifications import RunJob


def notify_failed_attempts(
    tx: Transaction,
    failed: Sequence[FailedAttempt],
    routes: Sequence[Route],
    *,
    max_event_age: timedelta,
    now: datetime | None = None,
) -> None:
    """Queue notifications of failed attempts, without those older than `max_event_age`."""
    if not any(Occasion.RETRY in route.on for route in routes):
        return
    rows = [{"run_id": one.run_id, "at": one.at} for one in failed]
    found = notifications.list_retried(tx, rows=rows, max_event_age=max_event_age, now=now)
    jobs = {job.id: job for job in found}
    transitions = [_transition(one, jobs[one.run_id]) for one in failed if one.run_id in jobs]
    notify(tx, transitions, routes, now=now)


def _transition(failed: FailedAttempt, run: RunJob) -> Transition:
    return Transition(
        occasion=Occasion.RETRY,
        about="run",
        id=run.id,
        namespace=run.namespace,
        job=run.job,
        at=datetime.fromisoformat(failed.at),
        reason=failed.reason,
        message=failed.message,
        attempt=failed.attempt,
        next_attempt=datetime.fromisoformat(failed.next_at),
        # After a wait a task counts its attempts from one again.
        turn=f"{failed.attempt} {failed.at}",
    )
