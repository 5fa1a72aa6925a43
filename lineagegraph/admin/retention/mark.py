"""Marks of a sweep: condemn old runs, and release the needed ones."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from lineagegraph.admin.retention.report import KeepReason, Report
from lineagegraph.admin.retention.witnesses import Witnesses
from lineagegraph.graph import Graph
from lineagegraph.store.admin import retention
from lineagegraph.store.admin.retention import OldRun, ServedJob
from lineagegraph.store.jobs.details import list_reads

_JOBS, _RUNS, _DATASETS, _STEP = 500, 500, 200, 200
_FROM = "9999-12-31T00:00:00Z"
EVERY = "*"


def condemn(
    graph: Graph,
    sweep: str,
    ages: Mapping[str, timedelta],
    now: datetime,
    inherit: bool,
    report: Report,
) -> None:
    """Condemn the runs that are older than the age of their job's namespace.

    Runs that are kept as witnesses of their job are left out.
    """
    written: dict[str, datetime] = {}
    for job in _jobs(graph, inherit):
        report.namespace_of[job.key] = job.namespace
        age = ages.get(job.namespace, ages.get(EVERY))
        if age is not None:
            _condemn_job(graph, sweep, job.key, now - age, written, report)
    _keep_current(graph, sweep, written, report)


def keep_reached(graph: Graph, sweep: str, report: Report) -> None:
    """Release the runs that kept runs refer to: sources of their data, and their ancestors."""
    after = ""
    while ids := graph.read(retention.list_kept, after=after, limit=_STEP, sweep=sweep):
        after, level = ids[-1], ids
        while level:
            level = _keep_next(graph, sweep, level, report)


def _keep_next(graph: Graph, sweep: str, ids: list[str], report: Report) -> list[str]:
    reads = graph.read(list_reads, ids=ids)
    writers = sorted({use.writer for use in reads if use.writer})
    parents = graph.read(retention.list_parents, ids=ids, sweep=sweep)
    read = _release(graph, sweep, writers, KeepReason.READ, report)
    return read + _release(graph, sweep, parents, KeepReason.PARENT, report)


def _condemn_job(
    graph: Graph,
    sweep: str,
    key: str,
    before: datetime,
    written: dict[str, datetime],
    report: Report,
) -> None:
    witnesses = Witnesses(written)
    for page in _old_runs(graph, key, before):
        goes = []
        for run in page:
            if witnesses.shows_news(run):
                report.keep(key, KeepReason.HELD if run.held else KeepReason.WITNESS)
            else:
                goes.append(run.id)
        graph.write(retention.set_condemned, ids=sorted(goes), sweep=sweep)


def _keep_current(graph: Graph, sweep: str, written: dict[str, datetime], report: Report) -> None:
    """Let the latest old version of each dataset stay: a run may have read it since."""
    after = ""
    while found := graph.read(retention.list_current, after=after, limit=_DATASETS, sweep=sweep):
        after = found[-1].key
        writers = {
            one.writer
            for one in found
            if one.writer
            and one.written_at
            and (one.key not in written or one.written_at > written[one.key])
        }
        _release(graph, sweep, sorted(writers), KeepReason.CURRENT, report)


def _release(
    graph: Graph, sweep: str, ids: list[str], reason: KeepReason, report: Report
) -> list[str]:
    released = graph.write(retention.release_runs, ids=ids, sweep=sweep)
    for run in released:
        report.keep(run.job_key, reason)
    return [run.id for run in released]


def _jobs(graph: Graph, inherit: bool) -> Iterator[ServedJob]:
    after = ""
    while found := graph.read(retention.list_jobs, after=after, limit=_JOBS, inherit=inherit):
        yield from found
        after = found[-1].key


def _old_runs(graph: Graph, key: str, before: datetime) -> Iterator[list[OldRun]]:
    at, last = _FROM, ""
    while found := graph.read(
        retention.list_old, job_key=key, before=before, at=at, id=last, limit=_RUNS
    ):
        yield found
        at, last = found[-1].created_at, found[-1].id
