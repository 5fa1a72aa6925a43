"""Days, weeks, months and hours of a range in a time zone."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count, takewhile
from typing import NamedTuple
from zoneinfo import ZoneInfo

from lineagegraph.errors import BackfillRefused
from lineagegraph.model.names.zones import find_zone
from lineagegraph.model.triggers.backfill import NominalRange

_STEP = re.compile(r"([1-9]\d{0,5})\s*(mo|m|h|d|w)")
_ELAPSED = {"m": timedelta(minutes=1), "h": timedelta(hours=1)}
_DAYS = {"d": 1, "w": 7}
_YEARS = range(2, 9999)


class _Step(NamedTuple):
    number: int
    unit: str


class _Bound(NamedTuple):
    """A time in UTC, and as local time, which the clock may jump over."""

    at: datetime
    local: datetime
    is_day: bool


def list_times(range_: NominalRange, as_days: bool | None = None) -> Iterator[str]:
    """Yield the days (`2026-03-29`) or times (`2026-03-29T00:00:00+01:00`) of a range, as ISO 8601.

    `as_days` chooses; None: days if the range has days and steps of days, weeks or months. Hours
    and minutes are elapsed time, so a local day has 23, 24 or 25 hours. Days, weeks and months keep
    the local time of the first; a month without that day has its last day instead, and a time
    skipped by a clock change is as much later as the clock jumps.
    """
    zone, step = _zone(range_.zone), _step(range_.step)
    first, last = _bound(range_.first, zone, "first"), _bound(range_.last, zone, "last")
    start, end = first.local, _end(last, zone)
    if first.at >= end:
        raise BackfillRefused(f"{range_.first} is after {range_.last}: swap them")
    by_days = first.is_day and last.is_day and step.unit not in _ELAPSED
    if as_days and not by_days:
        raise BackfillRefused(
            f"the parameter is a date: use days such as 2026-01-31 and steps of d, w or mo, "
            f"not {range_.first} to {range_.last} by {range_.step}"
        )
    if by_days if as_days is None else as_days:
        days = _days(start.date(), last.local.date(), step)
        return (day.isoformat() for day in days)
    times = _elapsed(first.at, step) if step.unit in _ELAPSED else _local(start, step, zone)
    return (at.astimezone(zone).isoformat() for at in takewhile(lambda at: at < end, times))


def _zone(name: str) -> ZoneInfo:
    try:
        return find_zone(name)
    except ValueError:
        raise BackfillRefused(
            f"zone {name!r} is unknown: use a name such as Europe/Berlin"
        ) from None


def _step(text: str) -> _Step:
    found = _STEP.fullmatch(text)
    if not found:
        raise BackfillRefused(f"step {text!r}: write it as '1d', '6h', '15m', '1w' or '1mo'")
    return _Step(int(found[1]), found[2])


def _bound(text: str, zone: tzinfo, which: str) -> _Bound:
    try:
        if int(text[:4]) not in _YEARS:
            raise ValueError
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            day = datetime.fromisoformat(text).replace(tzinfo=zone)
            return _Bound(day.astimezone(UTC), day, True)
        at = datetime.fromisoformat(text)
        local = at.astimezone(zone) if at.tzinfo else at.replace(tzinfo=zone)
        return _Bound(local.astimezone(UTC), local, False)
    except (ValueError, OverflowError):
        raise BackfillRefused(
            f"{which} {text!r} is neither a day like 2026-01-31 nor a time like 2026-01-31T06:00"
        ) from None


def _resolve(day: date, at: time, zone: tzinfo) -> datetime:
    """Return a local time in UTC; one that the clock jumps over is as much later as it jumps."""
    return datetime.combine(day, at, zone).astimezone(UTC)


def _end(last: _Bound, zone: tzinfo) -> datetime:
    """Return the exclusive end of the range: for a day, the beginning of the next."""
    if not last.is_day:
        return last.at + timedelta(microseconds=1)
    return _resolve(last.local.date() + timedelta(days=1), time(), zone)


def _elapsed(first: datetime, step: _Step) -> Iterator[datetime]:
    return (first + number * step.number * _ELAPSED[step.unit] for number in count())


def _local(first: datetime, step: _Step, zone: tzinfo) -> Iterator[datetime]:
    for day in _days(first.date(), date.max, step):
        yield _resolve(day, first.time(), zone)


def _days(first: date, last: date, step: _Step) -> Iterator[date]:
    for number in count():
        try:
            day = _day(first, number * step.number, step.unit)
        except (ValueError, OverflowError):
            return
        if day > last:
            return
        yield day


def _day(first: date, number: int, unit: str) -> date:
    if unit in _DAYS:
        return first + timedelta(days=number * _DAYS[unit])
    years, month = divmod(first.month - 1 + number, 12)
    year = first.year + years
    return date(year, month + 1, min(first.day, monthrange(year, month + 1)[1]))
