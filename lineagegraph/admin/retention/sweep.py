"""A sweep: condemn old runs, release the needed ones, delete the rest.

Each step is a bounded transaction, and events are recorded meanwhile. An interrupted sweep has
deleted only condemned runs; the next one starts from the beginning.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from lineagegraph.admin.retention.facets import delete_loose
from lineagegraph.admin.retention.mark import condemn, keep_reached
from lineagegraph.admin.retention.report import KeepReason, Report
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.ingest.received import used_hashes
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.admin import retention
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
    the number of deleted runs and the total.
    """
    report, name = Report(), new_id()
    started = graph.read(get_time)
    _release_all(graph)
    note("finding old runs", 0, 0)
    condemn(graph, name, ages, now or started, inherit, report)
    note("finding runs that are still needed", 0, 0)
    keep_reached(graph, name, report)
    found = graph.read(retention.count_condemned, sweep=name)
    for job in found:
        report.go(job.job_key, job.runs, job.events, job.versions)
    if dry_run:
        _release_all(graph)
        return report
    graph.write(audit, "retention.start", name, after={"ages": dict(ages), "inherit": inherit})
    _delete(graph, name, started, sum(job.runs for job in found), report, note)
    note("updating jobs", 0, 0)
    while graph.write(settle):
        pass
    if "*" in ages:
        note("deleting external events", 0, 0)
        before = (now or started) - ages["*"]
        while graph.write(retention.delete_external_events, before=before, limit=_EVENTS):
            pass
    note("finding unused facets", 0, 0)
    report.facets = delete_loose(graph)
    runs = {namespace: kept.runs for namespace, kept in report.namespaces.items() if kept.runs}
    graph.write(audit, "retention.end", name, after={"runs": runs, "facets": report.facets})
    return report


def _delete(
    graph: Graph, name: str, started: datetime, total: int, report: Report, note: Note
) -> None:
    done = 0
    while claimed := graph.write(_delete_some, name, started):
        for run in claimed:
            if run.stays:
                report.keep(run.job_key, KeepReason.TOLD)
                report.go(run.job_key, -1, 0, 0)
        done += len(claimed)
        note("deleting runs", done, total)


def _delete_some(tx: Transaction, name: str, started: datetime) -> list[ClaimedRun]:
    claimed = retention.claim_condemned(tx, sweep=name, started=started, limit=_RUNS)
    ids = [run.id for run in claimed if not run.stays]
    hashes = used_hashes(retention.list_bodies(tx, ids=ids))
    retention.set_loose(tx, hashes=sorted(hashes), loose=True)
    retention.delete_runs(tx, ids=ids)
    return claimed


def _release_all(graph: Graph) -> None:
    while graph.write(retention.release_all, limit=_RELEASED):
        pass
