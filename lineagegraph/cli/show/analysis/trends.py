"""`analysis trends`: the usual values of a job, its change points and its outliers."""

from collections.abc import Iterator
from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_table, results
from lineagegraph.cli.formatting import clock
from lineagegraph.cli.options import Json
from lineagegraph.cli.show.analysis.formatting import format_seconds
from lineagegraph.queries.analysis import (
    ChangePoint,
    Measure,
    Trend,
    TrendSummary,
    read_trend,
    read_trends,
)
from lineagegraph.settings import load_settings

_EMPTY = "no run has completed"


def trends(
    job: Annotated[
        str | None, typer.Argument(help="Runs of this job (default: one row for each job).")
    ] = None,
    measure: Annotated[Measure, typer.Option(help="Measure to show.")] = "seconds",
    limit: Annotated[
        int, typer.Option("--runs", min=1, help="Number of newest runs to use.")
    ] = 100,
    json: Json = False,
) -> None:
    """Show a job's usual values, when they last changed, and its unusual runs."""
    with connected(load_settings()) as graph:
        trend = read_trend(graph, job, measure, limit) if job else None
        found = trend or read_trends(graph, measure, limit)
    if json:
        print_json(found)
    elif isinstance(found, Trend):
        print_table(("RUN", "AT", "VALUE", "USUAL", "OFF"), _points(found), _EMPTY)
        for change in found.changes:
            results.print(f"changed {clock(change.at)}: {_change(change, measure)}")
    else:
        columns = ("JOB", "RUNS", "USUAL", "BEFORE", "SINCE", "VERSION", "LATEST", "OUTLIERS")
        print_table(columns, map(_summary, found), _EMPTY)


def _points(trend: Trend) -> Iterator[tuple[str, ...]]:
    for point in trend.points:
        off = f"{point.off:+.1f} spreads" if point.is_outlier else ""
        yield (
            point.run,
            clock(point.at),
            _format(point.value, trend.measure),
            _format(point.usual, trend.measure),
            off,
        )


def _change(change: ChangePoint, measure: Measure) -> str:
    version = f" with version {change.version[:12]}" if change.version else ""
    return f"{_format(change.before, measure)} to {_format(change.after, measure)}{version}"


def _summary(one: TrendSummary) -> tuple[str, ...]:
    return (
        one.job,
        str(one.runs),
        _format(one.usual, one.measure),
        _format(one.before, one.measure),
        clock(one.since),
        (one.version or "")[:12],
        f"{_format(one.latest, one.measure)}{' !' if one.is_outlier else ''}",
        str(one.outliers),
    )


def _format(value: float | None, measure: Measure) -> str:
    if measure == "rows":
        return "" if value is None else f"{value:,.0f}"
    return format_seconds(value)
