"""Marks of a sweep: condemn old runs, and release the needed ones."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from lineagegraph.admin.lock import WorkLock
from lineagegraph.admin.retention.report import KeepReason, Report
from lineagegraph.admin.retention.witnesses import Witnesses
from lineagegraph.graph import Graph, Transaction
from lineagegraph.store.admin import retention
from lineagegraph.store.admin.retention import OldRun, ReleasedRun, ServedJob
from lineagegraph.store.jobs.details import list_reads

_JOBS, _RUNS, _DATASETS, _STEP = 500, 500, 200, 200
_FROM = "9999-12-31T00:00:00Z"
EVERY = "*"


def condemn(
    graph: Graph,
    lock: WorkLock,
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
            _condemn_job(graph, lock, job.key, now - age, written, report)
    _keep_current(graph, lock, written, report)


def keep_reached(graph: Graph, lock: WorkLock, report: Report) -> None:
    """Release the runs that kept runs refer to: sources of their data, ancestors and originals."""
    after = ""
    while ids := graph.read(retention.list_kept, after=after, limit=_STEP, sweep=lock.owner):
        after, level = ids[-1], ids
        while level:
            level = _keep_next(graph, lock, level, report)


def _keep_next(graph: Graph, lock: WorkLock, ids: list[str], report: Report) -> list[str]:
    reads = graph.read(list_reads, ids=ids)
    writers = sorted({use.writer for use in reads if use.writer})
    parents = graph.read(retention.list_parents, ids=ids, sweep=lock.owner)
    repeated = graph.read(retention.list_repeated, ids=ids, sweep=lock.owner)
    read = _release(graph, lock, writers, KeepReason.READ, report)
    read += _release(graph, lock, parents, KeepReason.PARENT, report)
    return read + _release(graph, lock, repeated, KeepReason.REPEATED, report)


def _condemn_job(
    graph: Graph,
    lock: WorkLock,
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
                goes.append({"id": run.id, "events": run.events})
        graph.write(_condemn_runs, lock, goes)


def _condemn_runs(tx: Transaction, lock: WorkLock, rows: list[dict[str, Any]]) -> None:
    rows = sorted(rows, key=lambda row: row["id"])
    retention.set_condemned(tx, rows=rows, sweep=lock.owner)
    lock.assert_held(tx)


def _keep_current(
    graph: Graph, lock: WorkLock, written: dict[str, datetime], report: Report
) -> None:
    """Let the latest old version of each dataset stay: a run may have read it since."""
    after = ""
    while found := graph.read(
        retention.list_current, after=after, limit=_DATASETS, sweep=lock.owner
    ):
        after = found[-1].key
        writers = {
            one.writer
            for one in found
            if one.writer
            and one.written_at
            and (one.key not in written or one.written_at > written[one.key])
        }
        _release(graph, lock, sorted(writers), KeepReason.CURRENT, report)


def _release(
    graph: Graph, lock: WorkLock, ids: list[str], reason: KeepReason, report: Report
) -> list[str]:
    released = graph.write(_release_runs, lock, ids)
    for run in released:
        report.keep(run.job_key, reason)
    return [run.id for run in released]


def _release_runs(tx: Transaction, lock: WorkLock, ids: list[str]) -> list[ReleasedRun]:
    released = retention.release_runs(tx, ids=ids, sweep=lock.owner)
    lock.assert_held(tx)
    return released


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
