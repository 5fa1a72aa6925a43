"""A sweep: condemn old runs, release the needed ones, delete the rest.

Each step is a bounded transaction, and events are recorded meanwhile. An interrupted sweep has
deleted only condemned runs; the next one starts from the beginning. Two at once would take each
other's marks, so one waits.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from lineagegraph.admin.imports.images import join_deleted
from lineagegraph.admin.lock import WorkLock, work_lock
from lineagegraph.admin.retention.facets import delete_loose
from lineagegraph.admin.retention.mark import condemn, keep_reached
from lineagegraph.admin.retention.report import KeepReason, Report
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.received import used_hashes
from lineagegraph.store.admin import imports, retention
from lineagegraph.store.admin.audit import audit
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.admin.retention import ClaimedRun

Note = Callable[[str, int, int], None]
_RUNS, _RELEASED, _EVENTS = 50, 5000, 5000


def sweep(
    graph: Graph,
    ages: Mapping[str, timedelta],
    *,
    inherit: bool = True,
    dry_run: bool = False,
    now: datetime | None = None,
    note: Note = lambda what, done, total: None,
) -> Report:
    """Delete the runs that are older than their namespace's age, `*` for all others.

    External events, which have no namespace, go by the age of `*`.

    With `dry_run` nothing is deleted, and the report is a forecast. `note` is called with the step,
    the number of deleted runs and the total. Raises `AlreadyRunning` if another sweep goes on.
    """
    with work_lock(graph, "sweep", lambda: note("waiting for another sweep", 0, 0)) as lock:
        now = now or graph.read(get_time)
        report = Report()
        _release_all(graph)
        note("finding old runs", 0, 0)
        condemn(graph, lock, ages, now, inherit, report)
        note("finding runs that are still needed", 0, 0)
        keep_reached(graph, lock, report)
        if dry_run:
            _forecast(graph, lock, report)
            _release_all(graph)
        else:
            external = now - ages["*"] if "*" in ages else None
            after = {"ages": dict(ages), "inherit": inherit}
            graph.write(audit, "retention.start", lock.owner, after=after)
            _delete(graph, lock, external, report, note)
        return report


def _forecast(graph: Graph, lock: WorkLock, report: Report) -> None:
    for job in graph.read(retention.count_condemned, sweep=lock.owner):
        report.go(job.job_key, job.runs, job.events, job.versions)


def _delete(
    graph: Graph, lock: WorkLock, external: datetime | None, report: Report, note: Note
) -> None:
    """Delete condemned runs, external events from before a time, and unused facets."""
    _delete_runs(graph, lock, report, note)
    note("updating jobs", 0, 0)
    while graph.write(settle):
        pass
    if external:
        note("deleting external events", 0, 0)
        while graph.write(retention.delete_external_events, before=external, limit=_EVENTS):
            pass
    note("finding unused facets", 0, 0)
    report.facets = delete_loose(graph, lock)
    runs = {namespace: kept.runs for namespace, kept in report.namespaces.items() if kept.runs}
    graph.write(audit, "retention.end", lock.owner, after={"runs": runs, "facets": report.facets})


def _delete_runs(graph: Graph, lock: WorkLock, report: Report, note: Note) -> None:
    found = graph.read(retention.count_condemned, sweep=lock.owner)
    done, total = 0, sum(job.runs for job in found)
    while claimed := graph.write(_delete_some, lock):
        for run in claimed:
            if run.stays:
                report.keep(run.job_key, KeepReason.TOLD)
            else:
                report.go(run.job_key, 1, run.events, run.versions)
        done += len(claimed)
        note("deleting runs", done, total)


def _delete_some(tx: Transaction, lock: WorkLock) -> list[ClaimedRun]:
    since = imports.claim_all(tx)
    claimed = retention.claim_condemned(tx, sweep=lock.owner, limit=_RUNS)
    ids = [run.id for run in claimed if not run.stays]
    if since is not None:
        join_deleted(tx, since, ids)
    hashes = used_hashes(retention.list_bodies(tx, ids=ids))
    retention.set_loose(tx, hashes=sorted(hashes), loose=True)
    retention.delete_runs(tx, ids=ids)
    lock.assert_held(tx)
    return claimed


def _release_all(graph: Graph) -> None:
    while graph.write(retention.release_all, limit=_RELEASED):
        pass
