"""Freshness: how new a job's last success must be, for the job itself and for each that needs it.

The defaults are those of Optimus: fresh since the start of the day, asked again every 2 minutes for
30 minutes.
"""

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.model.triggers.cron import time_before

DAY = "day"
POINTS = {"hour": "0 * * * *"}


class Counts(StrEnum):
    """Which time of a success counts: its end, or the end of the interval that its data covers."""

    END = "end"
    DATA_END = "data_end"


class WhenSkipped(StrEnum):
    """What a skipped parent means for a task that needs it, and has no fresh success of it."""

    BLOCK = "block"
    IGNORE = "ignore"
    SKIP_CHILD = "skip_child"


class Freshness(msgspec.Struct, frozen=True, kw_only=True):
    """Terms that a success must meet; where both `max_age` (seconds) and `since` are given, both.

    `since` is `day`, `hour` or a cron expression: its last point counts, in `zone`. What is None is
    the installation's. Without `any_partition` only successes of the same partition count, as far
    as both jobs have its dimensions.
    """

    max_age: float | None = None
    since: str | None = None
    zone: str | None = None
    counts: Counts | None = None
    any_partition: bool = False

    def threshold(self, now: datetime, submitted: datetime, zone: str = "UTC") -> datetime:
        """Return the time at or after which a success meets the terms; `max_age` 0: `submitted`."""
        found = []
        if self.max_age is not None:
            found.append(submitted if self.max_age == 0 else _minus(now, self.max_age))
        if self.since is not None:
            found.append(last_point(self.since, self.zone or zone, now))
        return max(found, default=datetime.min.replace(tzinfo=UTC))


TODAY = Freshness(since=DAY)


class Dependency(msgspec.Struct, frozen=True, kw_only=True):
    """A parent of a task: a task beside it, which `after` names too, or a job elsewhere by FQN.

    A task that waits for it asks at least every `recheck` seconds, for `wait` seconds. An
    `external` one need not be known yet. What is None is the task's own namespace.
    """

    job: str
    namespace: str | None = None
    freshness: Freshness = TODAY
    when_skipped: WhenSkipped = WhenSkipped.BLOCK
    external: bool = False
    recheck: float = 120.0
    wait: float = 1800.0


def last_point(since: str, zone: str, now: datetime) -> datetime:
    """Return the last start of a day or hour, or point of a cron expression, up to `now`; in UTC.

    A day begins at its first moment, which is not always midnight.
    """
    if since == DAY:
        return _day_of(now.astimezone(ZoneInfo(zone)).date(), zone)
    return time_before(POINTS.get(since, since), zone, now)


def next_day(after: datetime, zone: str) -> datetime:
    """Return the first start of a day in a zone after a time; in UTC."""
    return _day_of(after.astimezone(ZoneInfo(zone)).date() + timedelta(days=1), zone)


def _day_of(date: date, zone: str) -> datetime:
    return datetime.combine(date, time.min, ZoneInfo(zone)).astimezone(UTC)


def _minus(now: datetime, seconds: float) -> datetime:
    try:
        return now - timedelta(seconds=seconds)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)
