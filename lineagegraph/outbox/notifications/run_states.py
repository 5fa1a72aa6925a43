"""Notifications of run states."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.ingest.record import StateChange
from lineagegraph.model.outbox.routes import Occasion, Route, wanted_occasions
from lineagegraph.model.pipelines.entry import SKIP_LIST
from lineagegraph.model.runs.states import RunState
from lineagegraph.outbox.notifications.outbox import notify
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.store.outbox import notifications
from lineagegraph.store.outbox.notifications import ChangedRun

OCCASIONS = {
    RunState.WAITING: Occasion.WAITING,
    RunState.RUNNING: Occasion.RUNNING,
    RunState.COMPLETED: Occasion.COMPLETED,
    RunState.FAILED: Occasion.FAILED,
    RunState.KILLED: Occasion.KILLED,
    RunState.FRESH_SKIP: Occasion.FRESH_SKIP,
    RunState.SKIPPED: Occasion.SKIPPED,
    RunState.SUPERSEDED: Occasion.SUPERSEDED,
}


def notify_states(
    tx: Transaction,
    changes: Sequence[StateChange],
    routes: Sequence[Route],
    *,
    max_event_age: timedelta,
    now: datetime | None = None,
) -> None:
    """Queue notifications for runs whose new state is on a route.

    Older changes than `max_event_age` are left out.
    """
    wanted = wanted_occasions(routes)
    states = [state.value for state, occasion in OCCASIONS.items() if occasion in wanted]
    if states:
        rows = [{"id": one.run_id, "at": one.at} for one in changes]
        found = notifications.list_runs(
            tx, rows=rows, states=states, max_event_age=max_event_age, now=now
        )
        notify(tx, [_transition(run) for run in found], routes, now=now)


def _transition(run: ChangedRun) -> Transition:
    return Transition(
        occasion=OCCASIONS[run.state],
        about="run",
        id=run.id,
        namespace=run.namespace,
        job=run.job,
        at=run.at,
        reason=run.reason,
        message=run.message,
        # Whoever skips a task of a batch is to be told, not only who skips all of it.
        is_top=run.is_top or run.reason == SKIP_LIST,
    )
