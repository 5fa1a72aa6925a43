"""Freshness: the required age of a job's last success, for itself and for jobs that need it.

The defaults are those of Optimus: fresh since the start of the day, checked every 2 minutes for 30
minutes.
"""

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.model.triggers.cron import time_before

DAY = "day"
POINTS = {"hour": "0 * * * *"}


class Counts(StrEnum):
    """The time of a success that counts: its end, or the end of its data interval."""

    END = "end"
    DATA_END = "data_end"


class WhenSkipped(StrEnum):
    """The effect of a skipped parent without a fresh success on a task that needs it."""

    BLOCK = "block"
    IGNORE = "ignore"
    SKIP_CHILD = "skip_child"


class WhenNewer(StrEnum):
    """The effect of a parent that succeeded after a fresh task began."""

    IGNORE = "ignore"
    RERUN = "rerun"


class Freshness(msgspec.Struct, frozen=True, kw_only=True):
    """Terms that a success must meet; if `max_age` (seconds) and `since` are both given, both.

    `since` is `day`, `hour` or a cron expression: its last time counts, in `zone`. None means the
    installation's default. Without `any_partition`, only successes of the same partition count, in
    the dimensions that both jobs have. With `unchanged`, an older success counts too while the
    datasets that it read have no newer version, and its code has none either.
    """

    max_age: float | None = None
    since: str | None = None
    zone: str | None = None
    counts: Counts | None = None
    any_partition: bool = False
    unchanged: bool = False

    def threshold(self, now: datetime, submitted: datetime, zone: str = "UTC") -> datetime:
        """Return the earliest time of a success that meets the terms.

        A point of `since` is the last one before `submitted`: otherwise a wait over midnight would
        lose a parent that it had. A `max_age` of 0 means `submitted`.
        """
        found = []
        if self.max_age is not None:
            found.append(submitted if self.max_age == 0 else _minus(now, self.max_age))
        if self.since is not None:
            found.append(last_point(self.since, self.zone or zone, min(now, submitted)))
        return max(found, default=datetime.min.replace(tzinfo=UTC))


TODAY = Freshness(since=DAY)


class Dependency(msgspec.Struct, frozen=True, kw_only=True):
    """A parent of a task: a sibling, also named in `after`, or an external job by FQN.

    A waiting task checks it at least every `recheck` seconds, for `wait` seconds. An `external` one
    need not exist yet. None means the task's own namespace.
    """

    job: str  # name of the sibling, or full name of the job elsewhere
    namespace: str | None = None  # namespace of a job elsewhere; None for the task's own
    freshness: Freshness = TODAY  # terms that its success must meet
    when_skipped: WhenSkipped = WhenSkipped.BLOCK  # effect of a skipped parent that is not fresh
    when_newer: WhenNewer = WhenNewer.IGNORE  # effect of a success after the task's own
    external: bool = False  # whether it may be unknown
    recheck: float = 120.0  # greatest seconds between two checks
    wait: float = 1800.0  # greatest seconds of a wait


def last_point(since: str, zone: str, now: datetime) -> datetime:
    """Return the last start of a day or hour, or time of a cron expression, up to `now`; in UTC.

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
