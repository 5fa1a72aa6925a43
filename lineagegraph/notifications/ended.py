"""Runs that ended and did not succeed, as news."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.model.states import RunState
from lineagegraph.notifications.outbox import notify
from lineagegraph.notifications.transition import Transition
from lineagegraph.routes import Occasion, Route
from lineagegraph.store import notifications
from lineagegraph.store.notifications import EndedRun

OCCASIONS = {
    RunState.FAILED: Occasion.FAILED,
    RunState.KILLED: Occasion.KILLED,
    RunState.SKIPPED: Occasion.SKIPPED,
}
SKIP_LIST = "SKIP_LIST"


def notify_ended(
    tx: Transaction,
    run_ids: Iterable[str],
    routes: Sequence[Route],
    *,
    news: timedelta,
    now: datetime | None = None,
) -> None:
    """Tell of those that did not succeed, among runs that have just ended.

    What ended longer than `news` ago is no news.
    """
    if not routes:
        return
    ended = notifications.list_ended(
        tx, run_ids=sorted(run_ids), states=[state.value for state in OCCASIONS], news=news, now=now
    )
    notify(tx, [_transition(run) for run in ended], routes, now=now)


def _transition(run: EndedRun) -> Transition:
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
