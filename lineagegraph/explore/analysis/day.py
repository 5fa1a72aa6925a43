"""A day as people in a time zone count it, and the runs that began in it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import networkx as nx

from lineagegraph.errors import NotFound
from lineagegraph.explore.stats import Span
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.states import JobKind
from lineagegraph.store.cells import get_time
from lineagegraph.store.days import DayRun, list_runs

SPARK = (JobKind.APPLICATION, JobKind.ACTION)
MOST_RUNS = 50_000


def read_day(graph: Graph, day: date | str | None, zone: str) -> date:
    """Return the day that is meant: a date, `2026-01-31`, `yesterday`, or else today."""
    if isinstance(day, date):
        return day
    if day in (None, "today", "yesterday"):
        today = graph.read(get_time).astimezone(ZoneInfo(zone)).date()
        return today - timedelta(days=day == "yesterday")
    try:
        return date.fromisoformat(day)
    except ValueError:
        raise NotFound(f"no day {day!r}: write it as 2026-01-31, today or yesterday") from None


def span_of(day: date, zone: str) -> Span:
    """Return when a day begins and ends, in UTC; it may have 23 or 25 hours."""
    midnights = (
        datetime.combine(one, time(), ZoneInfo(zone)).astimezone(UTC)
        for one in (day, day + timedelta(days=1))
    )
    return Span(*midnights)


def runs_of(tx: Transaction, day: date, zone: str) -> list[DayRun]:
    """Return the runs that began in a day, the earliest first; of very many the latest."""
    return list_runs(tx, **span_of(day, zone)._asdict(), limit=MOST_RUNS)


def is_spark(run: DayRun) -> bool:
    """Say whether a run is a Spark application or an action in one."""
    return run.kind in SPARK


def parents_of(runs: Mapping[str, DayRun]) -> dict[str, str]:
    """Return the run above each, where it is among them.

    Producers may send parents that go in a circle: what is in one has none.
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
