"""Runs whose worker is gone: queued again if they never started, FAILED with LOST if they did.

Of a run of a batch only the tasks that were under way are lost, and it goes on. One that cannot be
started is tried again a while later, and then FAILED with NOT_STARTED.
"""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import structlog
from msgspec.structs import replace

from lineagegraph.daemon.contact import Contact
from lineagegraph.daemon.hand_in import hand_in
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.states import JobKind, RunState
from lineagegraph.routes import Route
from lineagegraph.scheduling.failure import commit_ends, failure_events
from lineagegraph.store import launches
from lineagegraph.store.launches import LostRun, OpenRun

log = structlog.get_logger()
_MOST_LAUNCHES = 3
_MOST_LOSSES = 3
_CONTAINERS = {JobKind.PIPELINE.value, JobKind.GROUP.value}
_BACKOFF = timedelta(seconds=2)
_LOST = ("LOST", "the worker process of this run ended without a word; its log may say why")
_NOT_STARTED = (
    "NOT_STARTED",
    f"{_MOST_LAUNCHES} worker processes ended before this run began; its log may say why",
)


def reap_lost(
    graph: Graph,
    news: timedelta,
    contact: Contact,
    routes: Sequence[Route] = (),
    logs: Path | None = None,
) -> int:
    """Settle the runs whose lease ended, and return how many there were."""
    lost = graph.read(launches.due_lost, now=None)
    # Asked after the read, which may have waited for the graph to come back.
    if not contact.is_steady:
        return 0
    for run in lost:
        settle_lost(graph, run, news, routes, logs, by_lease=True)
    return len(lost)


def settle_lost(
    graph: Graph,
    run: LostRun,
    news: timedelta,
    routes: Sequence[Route] = (),
    logs: Path | None = None,
    *,
    by_lease: bool = False,
) -> None:
    """Settle a run whose worker is known to be gone, and has left what is below `logs`.

    Where it is known `by_lease` only, the worker may have renewed that meanwhile.
    """
    if logs and hand_in(graph, logs / run.id, run.id, news, routes):
        run = replace(run, has_started=True)
    if graph.write(_settle, run, news, routes, by_lease):
        log.warning("worker_lost", run=run.id, launches=run.launches)


def _goes_on(one: OpenRun) -> bool:
    """Say whether a part of a run that is resumed is not lost: what waits needs no worker."""
    return one.state is RunState.WAITING or one.kind in _CONTAINERS


def _settle(
    tx: Transaction, run: LostRun, news: timedelta, routes: Sequence[Route], by_lease: bool
) -> bool:
    if not launches.claim_fence(tx, id=run.id, fence=run.fence):
        return False
    if by_lease and not launches.get_lapsed(tx, id=run.id, now=None):
        return False
    if not run.has_started and run.launches < _MOST_LAUNCHES:
        delay = _BACKOFF * 2 ** (run.launches - 1)
        launches.settle_requeued(tx, id=run.id, delay=delay, now=None)
        return True
    is_resumed = launches.settle_resumed(tx, id=run.id, most=_MOST_LOSSES, now=None) is not None
    reason, message = _LOST if run.has_started else _NOT_STARTED
    lost = launches.list_open(tx, id=run.id)
    if is_resumed:
        lost = [one for one in lost if one.id != run.id and not _goes_on(one)]
    commit_ends(tx, run.id, failure_events(lost, reason, message), news=news, routes=routes)
    if not is_resumed:
        launches.release_run(tx, id=run.id)
    return True
