"""Times of cron expressions in a time zone, across clock changes."""

from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import dropwhile, islice, takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from lineagegraph.errors import InvalidRule
from lineagegraph.model.names.zones import find_zone

# More than clocks change by.
_CLOCK_CHANGE = timedelta(hours=3)


def next_time(cron: str, zone: str, after: datetime) -> datetime:
    """Return the first time of a cron expression after a time."""
    return next(times_after(cron, zone, after))


def times_after(cron: str, zone: str, after: datetime) -> Iterator[datetime]:
    """Yield the times of a cron expression after a time, without end."""
    # In UTC, as Python 3.11 may crash where Neo4j's driver sends a time that has a ZoneInfo.
    times = (time.astimezone(UTC) for time in CronSim(cron, after.astimezone(ZoneInfo(zone))))
    # CronSim takes an hour that comes again for the first one, and begins before `after`.
    return dropwhile(lambda time: time <= after, times)


def time_before(cron: str, zone: str, now: datetime) -> datetime:
    """Return the last time of a cron expression up to `now`."""
    begin = now
    while True:
        # Where clocks change, CronSim finds other times backwards than forwards.
        backwards = CronSim(cron, _earlier(begin).astimezone(ZoneInfo(zone)), reverse=True)
        begin = _earlier(next(backwards))
        came = deque(takewhile(lambda time: time <= now, times_after(cron, zone, begin)), maxlen=1)
        if came:
            return came[0]


def last_time(cron: str, zone: str, first: datetime, now: datetime) -> datetime:
    """Return the last time of a cron expression up to `now`; `first` is one of its times."""
    return max(first.astimezone(UTC), time_before(cron, zone, now))


def list_times(cron: str, zone: str, first: datetime, now: datetime, most: int) -> list[datetime]:
    """Return the times of a cron expression from `first`, which is one, up to `now`."""
    later = takewhile(lambda time: time <= now, times_after(cron, zone, first))
    return [first, *islice(later, most - 1)]


def check_cron(cron: str, zone: str) -> None:
    """Raise `InvalidRule` if a cron expression or its zone is invalid."""
    if not isinstance(cron, str) or len(cron.split()) != 5:
        raise InvalidRule(
            f"cron {cron!r} must have five fields: minute, hour, day of month, month, day of week"
        )
    try:
        next(CronSim(cron, datetime.now(UTC)))
    except CronSimError as error:
        raise InvalidRule(f"cron {cron!r}: {error}") from None
    except StopIteration:
        raise InvalidRule(f"cron {cron!r} never comes") from None
    check_zone(zone)


def check_zone(zone: str) -> None:
    """Raise `InvalidRule` if a name is not a time zone's."""
    try:
        find_zone(zone)
    except ValueError as error:
        raise InvalidRule(str(error)) from None


def _earlier(time: datetime) -> datetime:
    return time.astimezone(UTC) - _CLOCK_CHANGE
