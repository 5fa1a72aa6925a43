"""The hours and days of a marketplace, each with the partitions of tables that belong to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from docs.examples.experiment_metrics.story import REGIONS

Partition = dict[str, str]
_HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Period:
    """An hour or a day in local time; `reads` has the partitions that are not its own."""

    region: str
    day: date
    start: datetime
    end: datetime
    partition: Partition
    reads: dict[str, list[Partition]] = field(default_factory=dict)


def hours(region: str, day: date) -> Iterator[Period]:
    """Yield the hours of a local day: 24, but 23 or 25 where the clocks change."""
    zone = ZoneInfo(REGIONS[region])
    now = _midnight(day, zone)
    so_far: list[Partition] = []
    while now < _midnight(day + timedelta(days=1), zone):
        start, end = (at.astimezone(zone) for at in (now, now + _HOUR))
        partition = {"region": region, "hour": start.isoformat(timespec="minutes")}
        so_far = [*so_far, partition]
        yield Period(region, day, start, end, partition, {"experiment_samples": so_far})
        now += _HOUR


def whole_day(region: str, day: date, so_far: Sequence[date]) -> Period:
    """Return a local day, with its hours and the days that an experiment has had so far."""
    own = [hour.partition for hour in hours(region, day)]
    days = [_day(region, one) for one in so_far]
    reads = {"hourly_customer_metrics": own, "daily_customer_metrics": days}
    zone = ZoneInfo(REGIONS[region])
    start, end = (_midnight(day + timedelta(days=n), zone).astimezone(zone) for n in (0, 1))
    return Period(region, day, start, end, _day(region, day), reads)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return when a local day begins, in UTC: local times cannot be subtracted or compared."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _day(region: str, day: date) -> Partition:
    return {"region": region, "day": day.isoformat()}
