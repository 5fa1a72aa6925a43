"""The forecast: which runs come, which of them cannot start, and what will be stale."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.standing import FreshState, Judged, judge
from lineagegraph.queries.analysis.writers import WriterRun, find_writers
from lineagegraph.queries.freshness.freshness import Standing, read_standings
from lineagegraph.triggers.preview.forecast import (
    MOST_RUNS,
    ForeseenRun,
    RunForecast,
    forecast_runs,
)

_MOST_STALE = 100
_MOST_SHOWN = 1000


class ForeseenStale(msgspec.Struct, frozen=True):
    """A job or dataset that is stale at a time of a forecast, since when, and why."""

    node: str
    at: datetime
    why: str


class Forecast(msgspec.Struct, frozen=True):
    """The runs until a time, and what will be stale then.

    `total` and `dead` count the runs that were asked for, and those of them that cannot start;
    `runs` has the first of each trigger.
    """

    now: datetime
    until: datetime
    total: int
    dead: int
    runs: tuple[ForeseenRun, ...]
    stale: tuple[ForeseenStale, ...]


def read_forecast(
    graph: Graph,
    zone: str,
    until: datetime,
    *,
    each: int = 100,
    since: datetime | None = None,
    stale_at: datetime | None = None,
) -> Forecast:
    """Return what comes until a time, at most `each` runs of a trigger, and a thousand in all.

    `zone` is that of freshness terms without one; `since` leaves out runs that start before, and
    data is judged at `stale_at` instead of the end.
    """
    found = graph.read(forecast_runs, until)
    runs = [run for run in found.runs if since is None or run.at >= since]
    stale: list[tuple[datetime, Standing]] = []
    for one in read_standings(graph, zone):
        judged = _foresee(one, found, zone, stale_at or until)
        if judged.state is FreshState.STALE:
            stale.append((judged.since or found.now, one))
    stale.sort(key=lambda pair: (pair[0], pair[1].node))
    shown = stale[:_MOST_STALE]
    reasons = _reasons(graph, zone, [one for _, one in shown], found)
    return Forecast(
        now=found.now,
        until=found.until,
        total=len(runs),
        dead=sum(run.trouble is not None for run in runs),
        runs=tuple(islice(_first(runs, each), _MOST_SHOWN)),
        stale=tuple(
            ForeseenStale(one.node, at, why) for (at, one), why in zip(shown, reasons, strict=True)
        ),
    )


def _first(runs: Iterable[ForeseenRun], each: int) -> Iterator[ForeseenRun]:
    seen: Counter[tuple[str, str | None]] = Counter()
    for run in runs:
        seen[run.job, run.trigger] += 1
        if seen[run.job, run.trigger] <= each:
            yield run


def _foresee(one: Standing, found: RunForecast, zone: str, at: datetime) -> Judged:
    """Return the freshness at a time of a forecast."""
    if one.parts or one.about.sensor is not None:
        # Which value a run writes, and what a sensor answers, is not foreseen.
        return one.judged
    ends = [run.ends_at for run in _writing(one, found) if run.ends_at <= at]
    if len(ends) >= MOST_RUNS:
        # More come, which are not listed.
        ends.append(at)
    last = max([*ends, *([one.about.last_at] if one.about.last_at else [])], default=None)
    return judge(one.about.terms, last, at, zone, defined=one.about.set_at)


def _writing(one: Standing, found: RunForecast) -> Iterable[ForeseenRun]:
    """Return the foreseen runs that make a job or dataset fresh."""
    key = one.about.key
    runs = (run for run in (*found.running, *found.runs) if run.trouble is None)
    return [run for run in runs if key in (run.jobs if one.about.is_job else run.datasets)]


def _reasons(graph: Graph, zone: str, stale: Sequence[Standing], found: RunForecast) -> list[str]:
    """Return why each of them will be stale."""
    known = [_run_reason(one, zone, found) for one in stale]
    unknown = [one.about.key for one, why in zip(stale, known, strict=True) if why is None]
    writers = find_writers(graph, unknown, most=1)
    return [
        why or _writer_reason(writers[one.about.key]) for one, why in zip(stale, known, strict=True)
    ]


def _run_reason(one: Standing, zone: str, found: RunForecast) -> str | None:
    """Return what the foreseen runs tell; None if none of them is about it."""
    late = sorted(run.ends_at for run in _writing(one, found))
    if late:
        ends = late[0].astimezone(ZoneInfo(zone))
        return f"the next run that makes it fresh ends about {ends:%Y-%m-%d %H:%M %Z}"
    bad = [run for run in found.runs if run.trouble and one.about.key in (*run.jobs, *run.datasets)]
    return f"{bad[0].job} will not start: {bad[0].trouble}" if bad else None


def _writer_reason(writers: Sequence[WriterRun]) -> str:
    if not writers:
        return "no job is known to write it"
    writer = writers[0]
    if not writer.triggers:
        return (
            f"no trigger here starts {writer.name}; owner {', '.join(writer.owners) or 'unknown'}"
        )
    lacks = [text for trigger in writer.triggers for text in trigger.missing]
    return f"{writer.name} is not foreseen to run" + (f": {lacks[0]}" if lacks else "")
