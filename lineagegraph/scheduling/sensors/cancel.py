"""Somebody wants a run to end that has not."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.ingest import extract
from lineagegraph.routes import Route
from lineagegraph.scheduling.commit import commit
from lineagegraph.scheduling.react import NEWS
from lineagegraph.scheduling.sensors.ends import end_event
from lineagegraph.store import launches

_MESSAGE = "the wait was cancelled"


def cancel_run(
    tx: Transaction,
    run_id: str,
    *,
    news: timedelta = NEWS,
    routes: Sequence[Route] = (),
    now: datetime | None = None,
) -> bool:
    """Ask the worker of a run to end it, and end one that waits on its own; False: there is none.

    The sensors that it waited for are no longer looked at for it.
    """
    launch = launches.set_cancelled(tx, id=run_id)
    if launch == "SENSING":
        events = [
            end_event(
                one.id,
                one.namespace,
                one.name,
                one.now.isoformat(timespec="microseconds"),
                "cancelled",
                "CANCELLED",
                _MESSAGE,
            )
            for one in launches.list_open(tx, id=run_id)
        ]
        commit(tx, extract(events), news=news, routes=routes, now=now)
        launches.release_sensing(tx, run_ids=[run_id])
    return launch is not None
