"""The scheduled times of all triggers that come next."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import merge
from itertools import chain, count, dropwhile, islice, takewhile

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.triggers.cron import times_after
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.triggers.pauses import get_pause
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
    now, pause = get_time(tx), get_pause(tx, now=None)
    if pause and (pause.until is None or pause.until >= until):
        return []
    resumed = pause.until if pause else None
    rows = list_upcoming(tx, until=until, limit=_SCHEDULES)
    times = (islice(_times(row, now, until, resumed), each) for row in rows)
    return list(islice(merge(*times), limit))


def _times(
    row: UpcomingRow, now: datetime, until: datetime, resumed: datetime | None
) -> Iterator[UpcomingTime]:
    name = row.trigger_name or row.trigger_id
    first, last = row.start_date, min(until, row.end_date or until)
    times = dropwhile(lambda at: first is not None and at < first, _all_times(row, now, resumed))
    return (UpcomingTime(at, row.job, name) for at in takewhile(lambda at: at <= last, times))


def _all_times(row: UpcomingRow, now: datetime, resumed: datetime | None) -> Iterator[datetime]:
    """Yield the times of a schedule; after a pause, intervals count from its end."""
    if row.cron and row.zone:
        after = max(now, resumed or now)
        # A time that is known takes no search: of most schedules only the next one is shown.
        known = [row.next_at] if row.next_at > after else []
        return chain(known, times_after(row.cron, row.zone, max([after, *known])))
    span = timedelta(seconds=row.span or 1)
    first = resumed + span if resumed else row.next_at
    return (first + number * span for number in count())
