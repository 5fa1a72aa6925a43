"""Durations and costs of a job's runs over time, with outliers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, get_args

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.names.named_values import values_of
from lineagegraph.queries.analysis.levels import FAR, ValueLevel, find_levels, score
from lineagegraph.queries.find.find import find_job
from lineagegraph.store.jobs.jobs import OutsideSpark, list_outside_spark
from lineagegraph.store.lineage.trends import MeasuredRun, list_measures

Measure = Literal["seconds", "executor_seconds", "core_seconds"]
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


class Trend(msgspec.Struct, frozen=True):
    """The numbers of a job's completed runs, earliest first, and their levels."""

    namespace: str
    job: str
    measure: Measure
    points: tuple[TrendPoint, ...]
    levels: tuple[TrendLevel, ...]


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
    latest: float  # newest value
    is_outlier: bool  # whether the newest value is an outlier
    outliers: int  # outliers among all runs


def read_trend(graph: Graph, job: str, measure: Measure = "seconds", limit: int = _RUNS) -> Trend:
    """Return a job's newest completed runs with a measure; `seconds` is their duration.

    The other measures are the resources used on Spark clusters.
    """
    _check(measure)
    found = find_job(graph, job)
    runs = graph.read(list_measures, keys=[found.key], limit=limit)
    return _trend(found.namespace, found.name, measure, runs)


def read_trends(
    graph: Graph, measure: Measure = "seconds", limit: int = _RUNS
) -> list[TrendSummary]:
    """Return a row for each pipeline and task that has numbers, largest growth first."""
    _check(measure)
    jobs, runs = graph.read(_read_all, limit)
    trends = (_trend(job.namespace, job.name, measure, runs.get(job.key, ())) for job in jobs)
    found = [_sum_up(trend) for trend in trends if trend.points]
    return sorted(found, key=lambda one: (-(one.factor or 1), one.job, one.namespace))


def _check(measure: str) -> None:
    if measure not in get_args(Measure):
        raise NotFound(f"unknown measure {measure!r}: use one of {', '.join(get_args(Measure))}")


def _read_all(
    tx: Transaction, limit: int
) -> tuple[list[OutsideSpark], Mapping[str, list[MeasuredRun]]]:
    jobs = list_outside_spark(tx)
    runs: dict[str, list[MeasuredRun]] = defaultdict(list)
    for run in list_measures(tx, keys=[job.key for job in jobs], limit=limit):
        runs[run.key].append(run)
    return jobs, runs


def _trend(namespace: str, job: str, measure: Measure, runs: Sequence[MeasuredRun]) -> Trend:
    measured = [(run, value) for run in runs if (value := _value(run, measure)) is not None]
    levels = find_levels([value for _, value in measured])
    points = [
        _point(*measured[number], level)
        for level in levels
        for number in range(level.start, level.end)
    ]
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
    )


def _value(run: MeasuredRun, measure: Measure) -> float | None:
    value = run.seconds if measure == "seconds" else values_of(run.cost).get(measure)
    return float(value) if isinstance(value, int | float) else None


def _point(run: MeasuredRun, value: float, level: ValueLevel) -> TrendPoint:
    off = score(value, level)
    return TrendPoint(run.run, run.at, value, level.middle, off, abs(off) > FAR)


def _sum_up(trend: Trend) -> TrendSummary:
    now = trend.levels[-1]
    before = trend.levels[-2].middle if len(trend.levels) > 1 else None
    return TrendSummary(
        namespace=trend.namespace,
        job=trend.job,
        measure=trend.measure,
        runs=len(trend.points),
        usual=now.middle,
        before=before,
        factor=now.middle / before if before else None,
        since=now.since,
        latest=trend.points[-1].value,
        is_outlier=trend.points[-1].is_outlier,
        outliers=sum(point.is_outlier for point in trend.points),
    )
