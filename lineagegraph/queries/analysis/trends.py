"""Durations, rows and costs of a job's runs over time, with change points and outliers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Literal, get_args

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.named_values import values_of
from lineagegraph.queries.analysis.levels import FAR, ValueLevel, find_levels, score
from lineagegraph.queries.find.find import find_job
from lineagegraph.store.jobs.jobs import OutsideSpark, list_outside_spark
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.store.lineage.trends import MeasuredRun, list_measures, list_used_versions

Measure = Literal["seconds", "rows", "executor_seconds", "core_seconds"]
_RUNS = 100


class TrendPoint(msgspec.Struct, frozen=True):
    """A run, its number, and the usual value; `off` is a notable deviation in spreads."""

    run: str
    at: datetime
    value: float
    usual: float
    off: float
    is_outlier: bool


class TrendLevel(msgspec.Struct, frozen=True):
    """The usual value from a run on: the median of `runs` runs, and their spread."""

    since: datetime
    runs: int
    middle: float
    spread: float


class ChangePoint(msgspec.Struct, frozen=True, kw_only=True):
    """The first run of a new level; `before` and `after` are the medians of both levels."""

    run: str  # id of the run
    at: datetime  # time of the run
    before: float  # median of the level before
    after: float  # median of the level that begins
    factor: float | None  # `after` divided by `before`; None if that is zero
    version: str | None = None  # the version that began with this run; None without a new one


class Trend(msgspec.Struct, frozen=True):
    """The numbers of a job's completed runs, earliest first, their levels and change points."""

    namespace: str
    job: str
    measure: Measure
    points: tuple[TrendPoint, ...]
    levels: tuple[TrendLevel, ...]
    changes: tuple[ChangePoint, ...]


class TrendSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One row about a job: its current level and the factor to the previous one.

    `latest` is the newest number, `outliers` the number of outliers in all runs.
    """

    namespace: str  # namespace of the job
    job: str  # full name of the job
    measure: Measure  # the measured quantity: seconds, or its cost
    runs: int  # runs that were measured
    usual: float  # median of the current level
    before: float | None  # median of the level before; None for a single level
    factor: float | None  # `usual` divided by `before`
    since: datetime  # start of the current level
    version: str | None  # the version that began with it; None without a new one
    latest: float  # newest value
    is_outlier: bool  # whether the newest value is an outlier
    outliers: int  # outliers among all runs


def read_trend(graph: Graph, job: str, measure: Measure = "seconds", limit: int = _RUNS) -> Trend:
    """Return a job's newest completed runs with a measure; `seconds` is their duration.

    `rows` counts what a run and its descendants wrote. The other measures are the resources used
    on Spark clusters.
    """
    return read_trend_of(graph, find_job(graph, job), measure, limit)


def read_trend_of(graph: Graph, job: NamedJob, measure: Measure, limit: int = _RUNS) -> Trend:
    """Return the trend of a job that was found."""
    _check(measure)
    with_rows = measure == "rows"
    runs = graph.read(list_measures, keys=[job.key], limit=limit, with_rows=with_rows)
    (trend,) = _with_versions(graph, [make_trend(job.namespace, job.name, measure, runs)])
    return trend


def read_trends(
    graph: Graph, measure: Measure = "seconds", limit: int = _RUNS
) -> list[TrendSummary]:
    """Return a row for each pipeline and task that has numbers, largest growth first."""
    _check(measure)
    jobs, runs = graph.read(_read_all, limit, measure == "rows")
    trends = (make_trend(job.namespace, job.name, measure, runs.get(job.key, ())) for job in jobs)
    found = [_sum_up(one) for one in _with_versions(graph, trends) if one.points]
    return sorted(found, key=lambda one: (-(one.factor or 1), one.job, one.namespace))


def make_trend(namespace: str, job: str, measure: Measure, runs: Iterable[MeasuredRun]) -> Trend:
    """Return the trend of runs in any order, without the versions of its change points."""
    ordered = sorted(runs, key=lambda run: (run.at, run.run))
    measured = [(run, value) for run in ordered if (value := _value(run, measure)) is not None]
    levels = find_levels([value for _, value in measured])
    points = (
        _point(*measured[number], level)
        for level in levels
        for number in range(level.start, level.end)
    )
    return Trend(
        namespace,
        job,
        measure,
        tuple(points),
        tuple(
            TrendLevel(
                measured[level.start][0].at, level.end - level.start, level.middle, level.spread
            )
            for level in levels
        ),
        tuple(
            _change(measured[then.start][0], before.middle, then.middle)
            for before, then in pairwise(levels)
        ),
    )


def _check(measure: str) -> None:
    if measure not in get_args(Measure):
        raise NotFound(f"unknown measure {measure!r}: use one of {', '.join(get_args(Measure))}")


def _read_all(
    tx: Transaction, limit: int, with_rows: bool
) -> tuple[list[OutsideSpark], Mapping[str, list[MeasuredRun]]]:
    jobs = list_outside_spark(tx)
    runs: dict[str, list[MeasuredRun]] = defaultdict(list)
    keys = [job.key for job in jobs]
    for run in list_measures(tx, keys=keys, limit=limit, with_rows=with_rows):
        runs[run.key].append(run)
    return jobs, runs


def _with_versions(graph: Graph, trends: Iterable[Trend]) -> list[Trend]:
    """Return trends with the version that began at each change point, if one did."""
    found = list(trends)
    last_before = {run: before for trend in found for run, before in _runs_at_changes(trend)}
    ids = sorted({*last_before, *last_before.values()})
    rows = graph.read(list_used_versions, ids=ids)
    used = {row.run: row.version for row in rows}

    def began(change: ChangePoint) -> ChangePoint:
        version = used.get(change.run)
        is_new = version != used.get(last_before[change.run])
        return msgspec.structs.replace(change, version=version if is_new else None)

    return [
        msgspec.structs.replace(trend, changes=tuple(map(began, trend.changes))) for trend in found
    ]


def _runs_at_changes(trend: Trend) -> Iterator[tuple[str, str]]:
    """Yield the first run of each new level and the run before it."""
    starts = {change.run for change in trend.changes}
    for before, then in pairwise(trend.points):
        if then.run in starts:
            yield then.run, before.run


def _value(run: MeasuredRun, measure: Measure) -> float | None:
    if measure in ("seconds", "rows"):
        value = run.seconds if measure == "seconds" else run.row_count
    else:
        value = values_of(run.cost).get(measure)
    return float(value) if isinstance(value, int | float) else None


def _point(run: MeasuredRun, value: float, level: ValueLevel) -> TrendPoint:
    off = score(value, level)
    return TrendPoint(run.run, run.at, value, level.middle, off, abs(off) > FAR)


def _change(run: MeasuredRun, before: float, after: float) -> ChangePoint:
    factor = after / before if before else None
    return ChangePoint(run=run.run, at=run.at, before=before, after=after, factor=factor)


def _sum_up(trend: Trend) -> TrendSummary:
    now = trend.levels[-1]
    change = trend.changes[-1] if trend.changes else None
    return TrendSummary(
        namespace=trend.namespace,
        job=trend.job,
        measure=trend.measure,
        runs=len(trend.points),
        usual=now.middle,
        before=change.before if change else None,
        factor=change.factor if change else None,
        since=now.since,
        version=change.version if change else None,
        latest=trend.points[-1].value,
        is_outlier=trend.points[-1].is_outlier,
        outliers=sum(point.is_outlier for point in trend.points),
    )
