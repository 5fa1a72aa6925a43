"""Reap runs whose worker is gone: queue them again if they never started, else fail them with LOST.

A run that was cancelled is KILLED.
The processes that it left on this host are killed first. Of a batch's run only the tasks under way
are lost, and it continues. A run that cannot be started is tried again after a delay, and in the
end FAILED with NOT_STARTED.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from msgspec.structs import replace

from lineagegraph.execution.reports import is_refusal
from lineagegraph.execution.spool import list_spools, put_aside, read_spool, take_spool
from lineagegraph.graph import Graph, Transaction
from lineagegraph.liveness.contact import Contact
from lineagegraph.model.outbox.routes import Route
from lineagegraph.model.runs.states import FINAL, JobKind, RunState
from lineagegraph.process_environment.task_processes import end_processes, run_mark
from lineagegraph.reactions.end_runs import commit_ends, failure_events
from lineagegraph.runs.cancel import DIED
from lineagegraph.runs.report import GraphReporter
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.runs import launches
from lineagegraph.store.runs.launches import LostRun, OpenRun

log = structlog.get_logger()


def replay_spool(
    graph: Graph, logs: Path, run_id: str, max_event_age: timedelta, routes: Sequence[Route] = ()
) -> bool:
    """Report the events that a run's workers left in its folder; return whether there were any.

    Events of a worker that no longer held the run count as late.
    """
    found = 0
    for fence, path in list_spools(logs):
        taken = take_spool(path)
        if taken is None:
            continue
        reporter = GraphReporter(graph, run_id, fence, max_event_age, routes)
        events = read_spool(taken)
        _report(reporter, events, logs)
        taken.unlink(missing_ok=True)
        found += len(events)
        log.info("spool_handed_in", run=run_id, events=len(events))
    return found > 0


def replay_ended_spools(
    graph: Graph, logs: Path, max_event_age: timedelta, routes: Sequence[Route] = ()
) -> None:
    """Report left events of runs that were reaped meanwhile: they are kept, and count as late."""
    ids = sorted({path.parent.name for path in logs.glob("*/spool-*.ndjson")})
    for run in graph.read(launches.list_states, ids=ids):
        if run.state in FINAL:
            with kept_apart("spool_not_handed_in", run.id):
                replay_spool(graph, logs / run.id, run.id, max_event_age, routes)


@contextmanager
def kept_apart(warning: str, run_id: str) -> Iterator[None]:
    """Log that a run's spool cannot be read: it must not keep the other runs."""
    try:
        yield
    except OSError as error:
        log.warning(warning, run=run_id, error=str(error))


def _report(reporter: GraphReporter, events: list[dict[str, Any]], logs: Path) -> None:
    """Report events together, or in halves after a refusal."""
    if not events:
        return
    try:
        reporter.report(events)
    except Exception as error:
        if not is_refusal(error):
            raise
        if len(events) == 1:
            put_aside(logs, events[0], str(error))
            return
        middle = len(events) // 2
        for half in (events[:middle], events[middle:]):
            _report(reporter, half, logs)


_MOST_LAUNCHES = 3
_MOST_LOSSES = 3
_CONTAINERS = {JobKind.PIPELINE.value, JobKind.GROUP.value}
_BACKOFF = timedelta(seconds=2)
_LOST = ("LOST", "the worker process of this run died; its log may show why")
_NOT_STARTED = (
    "NOT_STARTED",
    f"{_MOST_LAUNCHES} worker processes ended before this run began; its log may show why",
)


def reap_lost_runs(
    graph: Graph,
    max_event_age: timedelta,
    contact: Contact,
    routes: Sequence[Route] = (),
    logs: Path | None = None,
    *,
    place: str = "",
    own: str | None = None,
) -> int:
    """Reap the runs whose lease is over, other than a worker's `own`, and return their number.

    `place` is the `graph_place` of their processes.
    """
    lost = [run for run in graph.read(launches.due_lost, now=None) if run.id != own]
    # Asked after the read, which may have waited for the graph to come back.
    if not lost or not contact.is_steady(graph.read(get_time)):
        return 0
    for run in lost:
        with kept_apart("run_not_reaped", run.id):
            reap_run(graph, run, max_event_age, routes, logs, place=place, by_lease=True)
    return len(lost)


def reap_run(
    graph: Graph,
    run: LostRun,
    max_event_age: timedelta,
    routes: Sequence[Route] = (),
    logs: Path | None = None,
    *,
    place: str = "",
    by_lease: bool = False,
    fault: str | None = None,
) -> None:
    """Reap a run whose worker is gone; its spool is in its folder below `logs`.

    With `by_lease` only the lapsed lease shows that, and the worker may have renewed it meanwhile.
    `fault` is why its worker could not start, `place` the `graph_place` of its processes.
    """
    if logs and replay_spool(graph, logs / run.id, run.id, max_event_age, routes):
        run = replace(run, has_started=True)
    if graph.write(_reap, run, max_event_age, routes, place, by_lease, fault):
        log.warning("worker_lost", run=run.id, launches=run.launches)


def _end_cancelled(
    tx: Transaction, run_id: str, max_event_age: timedelta, routes: Sequence[Route]
) -> None:
    events = failure_events(launches.list_open(tx, id=run_id), "CANCELLED", DIED, "ABORT")
    commit_ends(tx, run_id, events, max_event_age=max_event_age, routes=routes)
    launches.release_run(tx, id=run_id)


def _goes_on(one: OpenRun) -> bool:
    """Return whether a part of a resumed run is not lost: waits need no worker."""
    return one.state is RunState.WAITING or one.kind in _CONTAINERS


def _reap(
    tx: Transaction,
    run: LostRun,
    max_event_age: timedelta,
    routes: Sequence[Route],
    place: str,
    by_lease: bool,
    fault: str | None,
) -> bool:
    if not launches.claim_fence(tx, id=run.id, fence=run.fence):
        return False
    if by_lease and not launches.get_lapsed(tx, id=run.id, now=None):
        return False
    # While the transaction holds the run: its worker cannot renew the lease, and no other starts.
    end_processes(run_mark(run.id, place))
    if launches.get_cancelled(tx, id=run.id):
        _end_cancelled(tx, run.id, max_event_age, routes)
        return True
    if not run.has_started and run.launches < _MOST_LAUNCHES:
        delay = _BACKOFF * 2 ** (run.launches - 1)
        launches.settle_requeued(tx, id=run.id, delay=delay, now=None)
        return True
    is_resumed = launches.settle_resumed(tx, id=run.id, most=_MOST_LOSSES, now=None) is not None
    reason, message = _LOST if run.has_started else _NOT_STARTED
    if fault and not run.has_started:
        message = f"its worker process could not start {_MOST_LAUNCHES} times: {fault}"
    lost = launches.list_open(tx, id=run.id)
    if is_resumed:
        lost = [one for one in lost if one.id != run.id and not _goes_on(one)]
    commit_ends(
        tx,
        run.id,
        failure_events(lost, reason, message),
        max_event_age=max_event_age,
        routes=routes,
    )
    if not is_resumed:
        launches.release_run(tx, id=run.id)
    return True
