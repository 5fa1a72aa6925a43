"""Times of cron expressions, in a time zone, across its changes of the clock."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim


def next_time(cron: str, zone: str, after: datetime) -> datetime:
    """Return the first time of a cron expression after a time."""
    return next(_times(cron, zone, after))


def last_time(cron: str, zone: str, first: datetime, now: datetime) -> datetime:
    """Return the last time of a cron expression up to `now`, where `first` is one of them."""
    backwards = CronSim(cron, now.astimezone(ZoneInfo(zone)), reverse=True)
    return max(first, next(backwards, first))


def _times(cron: str, zone: str, after: datetime) -> Iterator[datetime]:
    return CronSim(cron, after.astimezone(ZoneInfo(zone)))
