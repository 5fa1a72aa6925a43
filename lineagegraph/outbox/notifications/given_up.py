"""Notifications of firings without a run.

The end of a firing marks it as not notified; the notification removes the mark.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.model.outbox.routes import Occasion, Route, wanted_occasions
from lineagegraph.outbox.notifications.outbox import list_taken, notify
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.store.outbox import notifications
from lineagegraph.store.outbox.notifications import UntoldFiring, UntoldJob

OCCASIONS = {
    "DEAD_LETTER": Occasion.DEAD_LETTER,
    "EXPIRED": Occasion.EXPIRED,
    "ABORTED": Occasion.ABORTED,
}
_AT_ONCE = 500
_ANY_TIME = datetime.min.replace(tzinfo=UTC)


def notify_given_up(
    tx: Transaction,
    routes: Sequence[Route],
    *,
    max_event_age: timedelta,
    now: datetime | None = None,
) -> None:
    """Queue notifications of firings given up since the last time; older ones are left out.

    Those that no route takes are left to daemons that have one.
    """
    untold = notifications.claim_untold(
        tx,
        taken=_list_taken(tx, routes),
        limit=_AT_ONCE,
        max_event_age=max_event_age,
        now=now,
    )
    notify(tx, [_transition(one) for one in untold], routes, now=now)


def _list_taken(tx: Transaction, routes: Sequence[Route]) -> list[list[str]]:
    """Return the jobs with untold firings that a route takes: their keys, and the states."""
    wanted = wanted_occasions(routes)
    states = [state for state, occasion in OCCASIONS.items() if occasion in wanted]
    found = notifications.list_untold(tx, states=states) if states else []
    return [[one.job_key, one.state] for one in list_taken(tx, found, _kind, routes)]


def _kind(one: UntoldJob) -> Transition:
    """Return a transition that stands for all of a job to a state."""
    return Transition(
        occasion=OCCASIONS[one.state],
        about="firing",
        id=one.job_key,
        namespace=one.namespace,
        job=one.job,
        at=_ANY_TIME,
    )


def _transition(firing: UntoldFiring) -> Transition:
    """Return the transition of a firing; its time distinguishes repeated ends after a redrive."""
    return Transition(
        occasion=OCCASIONS[firing.state],
        about="firing",
        id=firing.key,
        namespace=firing.namespace,
        job=firing.job,
        at=firing.at,
        reason=firing.reason,
        message=firing.message,
        turn=firing.at.isoformat(),
    )
