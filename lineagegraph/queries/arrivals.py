"""When the target of a wait came on past days, and when it is expected."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta, tzinfo
from statistics import median

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store.sensors import sensor_views
from lineagegraph.store.sensors.sensor_views import PastArrival, SensorWait

_DAYS = 14
_MOST_WAITS = 200
_LEAST_DAYS = 3


class Arrivals(msgspec.Struct, frozen=True):
    """The first arrival on each past day, newest first, and the expected time of this wait."""

    past: list[PastArrival]
    expected_at: datetime | None


def read_arrivals(tx: Transaction, wait: SensorWait, zone: tzinfo) -> Arrivals:
    """Return when earlier waits of the wait's job were met, and when this one will be."""
    if wait.job_key is None or wait.began_at is None:
        return Arrivals([], None)
    found = sensor_views.list_arrivals(
        tx, job_key=wait.job_key, before=wait.began_at, limit=_MOST_WAITS
    )
    past = first_of_days(found, zone)
    return Arrivals(past, expected_time(past, wait.began_at, zone))


def first_of_days(found: Sequence[PastArrival], zone: tzinfo) -> list[PastArrival]:
    """Return the first arrival of each day on which a wait began, newest first."""
    days: dict[datetime, PastArrival] = {}
    for one in sorted(found, key=lambda one: one.came_at, reverse=True):
        days[_midnight(one.began_at, zone)] = one
    return [days[day] for day in sorted(days, reverse=True)][:_DAYS]


def expected_time(past: Sequence[PastArrival], began_at: datetime, zone: tzinfo) -> datetime | None:
    """Return the median time of day of past arrivals on the day of a wait.

    An arrival after midnight counts to the day on which its wait began. With fewer than three
    days nothing is expected.
    """
    if len(past) < _LEAST_DAYS:
        return None
    seconds = median(_since_midnight(one, zone) for one in past)
    # On a day with a change of the clock the time of day counts, not the hours since midnight.
    local = _midnight(began_at, zone).replace(tzinfo=None) + timedelta(seconds=seconds)
    return local.replace(tzinfo=zone)


def _since_midnight(one: PastArrival, zone: tzinfo) -> float:
    local = one.came_at.astimezone(zone).replace(tzinfo=None)
    return (local - _midnight(one.began_at, zone).replace(tzinfo=None)).total_seconds()


def _midnight(at: datetime, zone: tzinfo) -> datetime:
    return datetime.combine(at.astimezone(zone).date(), time(), zone)
