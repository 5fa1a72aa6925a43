"""A comparison of two days: runs, states, durations and rows of each job."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from statistics import median

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.states import SUCCEEDED
from lineagegraph.queries.analysis.day import is_spark, parents_of, read_day, runs_of
from lineagegraph.store.lineage.days import DayRun

# Runs of the same job are never equally long: what differs by less than a half is no news.
_FACTOR = 1.5
_SECONDS = 10


class JobDays(msgspec.Struct, frozen=True, kw_only=True):
    """A job on two days, None for a day without such a value, and its notable changes.

    `seconds` is the median duration of its successes, `states` counts its runs by state, and
    `version` is the last that ran. Notable are `new` and `gone`, or some of `runs`, `state`,
    `duration`, `rows` and `version`.
    """

    namespace: str | None  # namespace of the job
    job: str  # full name of the job
    changed: tuple[str, ...]  # notable changes
    runs_before: int  # runs on the first day
    runs_after: int  # runs on the second day
    states_before: dict[str, int]  # runs by state on the first day
    states_after: dict[str, int]  # runs by state on the second day
    seconds_before: float | None  # median seconds of a success on the first day
    seconds_after: float | None  # median seconds of a success on the second day
    rows_before: int | None  # rows written on the first day
    rows_after: int | None  # rows written on the second day
    version_before: str | None  # last version run on the first day
    version_after: str | None  # last version run on the second day


class DaysCompared(msgspec.Struct, frozen=True):
    """Two days and the jobs that ran on at least one, those with the most changes first."""

    before: date
    after: date
    jobs: tuple[JobDays, ...]


class _JobDay(msgspec.Struct, frozen=True):
    """A job's figures for one day."""

    runs: int
    states: dict[str, int]
    seconds: float | None
    rows: int | None
    version: str | None


def compare_days(
    graph: Graph, before: date | str | None, after: date | str | None, zone: str
) -> DaysCompared:
    """Compare the runs that began on two days, by job; Spark's runs count as their task's."""
    first, then = (read_day(graph, day, zone) for day in (before, after))

    def work(tx: Transaction) -> list[JobDays]:
        return list(compare(runs_of(tx, first, zone), runs_of(tx, then, zone)))

    found = sorted(graph.read(work), key=lambda one: (-len(one.changed), one.job))
    return DaysCompared(first, then, tuple(found))


def compare(before: Iterable[DayRun], after: Iterable[DayRun]) -> Iterator[JobDays]:
    """Yield the jobs of two lists of runs."""
    old, new = _by_job(before), _by_job(after)
    for key in old.keys() | new.keys():
        sides = old.get(key, []), new.get(key, [])
        named, _ = (sides[1] or sides[0])[-1]
        first, then = map(_sum_up, sides)
        yield JobDays(
            namespace=named.namespace,
            job=named.name,
            changed=tuple(_changed(first, then)),
            runs_before=first.runs,
            runs_after=then.runs,
            states_before=first.states,
            states_after=then.states,
            seconds_before=first.seconds,
            seconds_after=then.seconds,
            rows_before=first.rows,
            rows_after=then.rows,
            version_before=first.version,
            version_after=then.version,
        )


def _by_job(runs: Iterable[DayRun]) -> Mapping[str, list[tuple[DayRun, int | None]]]:
    """Return the runs of each job with the rows that they and their descendants wrote."""
    known = {run.id: run for run in runs}
    parents = parents_of(known)
    rows = _rows(known, parents)
    found: dict[str, list[tuple[DayRun, int | None]]] = defaultdict(list)
    for run in known.values():
        if not is_spark(run) or run.id not in parents:
            found[run.job_key or run.name].append((run, rows.get(run.id)))
    return found


def _rows(known: Mapping[str, DayRun], parents: Mapping[str, str]) -> dict[str, int]:
    rows: Counter[str] = Counter()
    for run in known.values():
        at = run.id if run.row_count is not None else None
        while at:
            rows[at] += run.row_count or 0
            at = parents.get(at)
    return dict(rows)


def _sum_up(runs: list[tuple[DayRun, int | None]]) -> _JobDay:
    took = [
        (run.ended_at - run.started_at).total_seconds()
        for run, _ in runs
        if run.started_at and run.ended_at and run.state in SUCCEEDED
    ]
    written = [rows for _, rows in runs if rows is not None]
    return _JobDay(
        runs=len(runs),
        states=dict(sorted(Counter(run.state for run, _ in runs).items())),
        seconds=median(took) if took else None,
        rows=sum(written) if written else None,
        version=runs[-1][0].version if runs else None,
    )


def _changed(before: _JobDay, after: _JobDay) -> Iterator[str]:
    if not before.runs or not after.runs:
        yield "gone" if before.runs else "new"
        return
    if before.runs != after.runs:
        yield "runs"
    if before.states.keys() != after.states.keys():
        yield "state"
    if _is_notable(before.seconds, after.seconds):
        yield "duration"
    if before.rows != after.rows:
        yield "rows"
    if before.version != after.version:
        yield "version"


def _is_notable(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return False
    less, more = sorted((before, after))
    return more > _FACTOR * less and more - less > _SECONDS
