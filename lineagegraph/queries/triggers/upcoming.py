"""The scheduled times of all triggers that come next."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import merge
from itertools import count, islice, takewhile

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.cron import times_after
from lineagegraph.store.triggers.cells import get_time
from lineagegraph.store.triggers.schedules import UpcomingRow, list_upcoming

_SCHEDULES = 10_000


class UpcomingTime(msgspec.Struct, frozen=True, order=True):
    """A scheduled time of a trigger."""

    at: datetime
    job: str
    trigger: str


def read_upcoming(
    tx: Transaction, until: datetime, limit: int, *, each: int | None = None
) -> list[UpcomingTime]:
    """Return the times up to `until`, earliest first, with at most `each` of a schedule."""
    now = get_time(tx)
    rows = list_upcoming(tx, until=until, limit=_SCHEDULES)
    return list(islice(merge(*(islice(_times(row, now, until), each) for row in rows)), limit))


def _times(row: UpcomingRow, now: datetime, until: datetime) -> Iterator[UpcomingTime]:
    name = row.trigger_name or row.trigger_id
    ahead = takewhile(lambda at: at <= until, _all_times(row, now))
    return (UpcomingTime(at, row.job, name) for at in ahead)


def _all_times(row: UpcomingRow, now: datetime) -> Iterator[datetime]:
    if row.cron and row.zone:
        return times_after(row.cron, row.zone, now)
    return (row.next_at + number * timedelta(seconds=row.span or 1) for number in count())
