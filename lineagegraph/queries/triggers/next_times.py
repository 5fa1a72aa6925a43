"""The next times of a trigger's schedules."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count as counted
from itertools import dropwhile, islice, takewhile

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.triggers.condition import OnCron, OnInterval, leaves_of
from lineagegraph.model.triggers.cron import times_after
from lineagegraph.model.triggers.describe import say
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.triggers.triggers import find_trigger
from lineagegraph.store.triggers import catalog, cells
from lineagegraph.store.triggers.catalog import WholeTriggerRow


class NextTimes(msgspec.Struct, frozen=True):
    """The next times of one schedule, if its trigger stays unchanged and enabled."""

    schedule: str
    times: tuple[datetime, ...]


def read_next(graph: Graph, name: str, count: int = 5) -> list[NextTimes]:
    """Return the next times of a trigger's schedules; empty if it has none."""
    trigger = find_trigger(graph, name)
    if trigger.rule is None:
        return []
    now = graph.read(cells.get_time)
    rows = graph.read(catalog.walk_conditions, id=trigger.id)
    due = {row.text: row.next_at for row in rows}
    return [
        NextTimes(said, tuple(islice(_within(trigger, _times(leaf, due.get(said), now)), count)))
        for leaf in leaves_of(read_stored(trigger.rule).when)
        if isinstance(leaf, OnCron | OnInterval) and (said := say(leaf))
    ]


def _within(trigger: WholeTriggerRow, times: Iterator[datetime]) -> Iterator[datetime]:
    """Yield the times between the dates of the pipeline that is started."""
    start, end = trigger.start_date, trigger.end_date
    later = dropwhile(lambda at: start is not None and at < start, times)
    return takewhile(lambda at: end is None or at <= end, later)


def _times(
    leaf: OnCron | OnInterval, next_at: datetime | None, now: datetime
) -> Iterator[datetime]:
    if isinstance(leaf, OnCron):
        return times_after(leaf.cron, leaf.zone, now)
    span = timedelta(seconds=leaf.seconds)
    return ((next_at or now + span) + i * span for i in counted())
