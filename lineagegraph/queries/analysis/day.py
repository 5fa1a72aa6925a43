"""A calendar day in a time zone, and the runs that began in it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import networkx as nx

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.states import JobKind
from lineagegraph.queries.jobs.stats import StatsSpan
from lineagegraph.queries.runs.runs import read_runs
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.lineage.days import DayRun, list_runs
from lineagegraph.store.runs.history import RunRow

SPARK = (JobKind.APPLICATION, JobKind.ACTION)
MOST_RUNS = 50_000
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def read_day(graph: Graph, day: date | str | None, zone: str) -> date:
    """Return the day of a text: `2026-01-31`, `tuesday`, `yesterday`, or today if None.

    A weekday is its latest date before today.
    """
    if isinstance(day, date):
        return day
    today = graph.read(get_time).astimezone(ZoneInfo(zone)).date()
    word = (day or "today").lower()
    if word in WEEKDAYS:
        return today - timedelta(days=(today.weekday() - WEEKDAYS.index(word) - 1) % 7 + 1)
    if word in ("today", "yesterday"):
        return today - timedelta(days=word == "yesterday")
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise NotFound(
            f"unknown day {day!r}: write it as 2026-01-31, tuesday, yesterday or today"
        ) from None


def span_of(day: date, zone: str) -> StatsSpan:
    """Return the begin and end of a day in UTC; it may have 23 or 25 hours."""
    try:
        midnights = [
            datetime.combine(one, time(), ZoneInfo(zone)).astimezone(UTC)
            for one in (day, day + timedelta(days=1))
        ]
    except OverflowError:
        raise NotFound(f"the day {day} has no begin or no end in UTC: use another one") from None
    return StatsSpan(*midnights)


def read_runs_of_day(
    graph: Graph, job: str, day: date | str, zone: str, limit: int = 20
) -> list[RunRow]:
    """Return the newest runs of a job that began in a day."""
    begin, end = span_of(read_day(graph, day, zone), zone)
    found = read_runs(graph, job, before=end, limit=limit)
    return [run for run in found if run.created_at and begin <= run.created_at < end]


def runs_of(tx: Transaction, day: date, zone: str) -> list[DayRun]:
    """Return the runs that began in a day, earliest first; the latest of too many."""
    return list_runs(tx, **span_of(day, zone)._asdict(), limit=MOST_RUNS)


def is_spark(run: DayRun) -> bool:
    """Return whether a run is a Spark application or an action in one."""
    return run.kind in SPARK


def parents_of(runs: Mapping[str, DayRun]) -> dict[str, str]:
    """Return the parent of each run, if it is among the runs.

    Producers may send parents that form a cycle: a run in a cycle has none.
    """
    said = {
        id_: parent
        for id_, run in runs.items()
        if (parent := run.parent) and parent in runs and parent != id_
    }
    above: nx.DiGraph[str] = nx.DiGraph(said.items())
    knots = nx.strongly_connected_components(above)
    looped = {id_ for knot in knots if len(knot) > 1 for id_ in knot}
    return {id_: parent for id_, parent in said.items() if id_ not in looped}
