"""Numbers of events, jobs, datasets and sources over the last day or week."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.freshness.freshness import Standing, read_standings
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.queries.jobs.sources import list_sources
from lineagegraph.store.admin import metrics, processes, stats
from lineagegraph.store.admin.metrics import (
    IncompleteJob,
    RunStateCount,
    Sensing,
    Untold,
    WorkCounts,
)
from lineagegraph.store.admin.processes import SensingProcess
from lineagegraph.store.admin.stats import EventCounts
from lineagegraph.store.outbox.forwards import TargetRow
from lineagegraph.store.runs import pools
from lineagegraph.store.runs.pools import PoolRow

_HOURS = 24
_DAYS = 7
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class StatsSpan(NamedTuple):
    """The time span from `begin` (inclusive) to `end` (exclusive)."""

    begin: datetime
    end: datetime


def last_day(now: datetime) -> list[StatsSpan]:
    """Return the last 24 hours, the current hour last."""
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    starts = [hour - timedelta(hours=ago) for ago in reversed(range(_HOURS))]
    return [StatsSpan(start, start + timedelta(hours=1)) for start in starts]


def last_week(now: datetime, zone: ZoneInfo) -> list[StatsSpan]:
    """Return the last seven days of a time zone, today last; not all have 24 hours."""
    today = now.astimezone(zone).date()
    days = [today + timedelta(days=number) for number in range(1 - _DAYS, 2)]
    midnights = [datetime.combine(day, time(), zone).astimezone(UTC) for day in days]
    return [StatsSpan(*pair) for pair in pairwise(midnights)]


def count_events(graph: Graph, spans: list[StatsSpan]) -> list[EventCounts]:
    """Return the number of events of each type in each time span."""
    return graph.read(stats.list_event_counts, rows=[span._asdict() for span in spans])


def count_until(graph: Graph, what: str, spans: list[StatsSpan]) -> list[int]:
    """Return the number of `jobs`, `datasets` or `sources` at the end of each time span."""
    known = sorted(at or _LONG_AGO for at in graph.read(_BEGINNINGS[what]))
    return [bisect_left(known, span.end) for span in spans]


def _list_source_beginnings(tx: Transaction) -> list[datetime | None]:
    return [source.created_at for source in list_sources(tx)]


_BEGINNINGS: dict[str, Callable[[Transaction], Iterable[datetime | None]]] = {
    "jobs": stats.list_job_beginnings,
    "datasets": stats.list_dataset_beginnings,
    "sources": _list_source_beginnings,
}


_ALIVE = timedelta(minutes=1)


class Numbers(NamedTuple):
    """All counts."""

    states: list[RunStateCount]  # runs by state
    work: WorkCounts  # runs, waits, leases and events
    sensing: Sensing  # sensors and their waits
    sensor_processes: list[SensingProcess]  # live sensor processes
    untold: list[Untold]  # notifications that wait, by channel
    pools: list[PoolRow]  # pools and their slots
    incomplete: list[IncompleteJob]  # jobs whose lineage is incomplete
    targets: list[TargetRow]  # targets of forwarding and what they lack
    standings: list[Standing]  # how fresh jobs and datasets are


def read_numbers(graph: Graph, zone: str, most: int) -> Numbers:
    """Count everything, and list at most so many jobs with incomplete lineage.

    `zone` applies to freshness terms without a zone of their own.
    """

    def work(
        tx: Transaction,
    ) -> tuple[
        list[RunStateCount],
        WorkCounts,
        Sensing,
        list[SensingProcess],
        list[Untold],
        list[PoolRow],
        list[IncompleteJob],
    ]:
        return (
            metrics.list_states(tx, states=[state.value for state in RunState]),
            metrics.get_work(tx, now=None),
            metrics.get_sensing(tx),
            processes.list_sensing(tx, within=_ALIVE, now=None),
            metrics.list_untold(tx),
            pools.list_pools(tx),
            metrics.list_incomplete(tx, limit=most),
        )

    return Numbers(*graph.read(work), read_targets(graph), read_standings(graph, zone))
