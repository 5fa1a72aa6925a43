"""When the times of conditions come."""

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from lineagegraph.model.triggers.cron import last_time, list_times, next_time
from lineagegraph.model.triggers.trigger import CatchUp
from lineagegraph.store.triggers.occurrences import DueTime, TimedCondition

TIMED = frozenset({"CRON", "INTERVAL", "ABSENT"})
# What is left of more times than these comes with the next look.
_MOST = 100
_PUNCTUAL = timedelta(seconds=60)


def first_time(condition: TimedCondition, after: datetime) -> datetime:
    """Return when a condition has its first time after a time."""
    if condition.operator == "CRON":
        return next_time(condition.cron or "", condition.zone or "", after)
    return after + timedelta(seconds=condition.span or 0.0)


class TakenTimes(NamedTuple):
    """The times of a condition that are taken now, the oldest first, and its next time."""

    times: list[datetime]
    next_at: datetime | None


def last_of_many(due: DueTime) -> datetime | None:
    """Return the last time that is taken now if more have come; None if all are taken."""
    next_at = _time_after(due)
    return _times(due)[-1] if next_at is not None and next_at <= due.now else None


def take_times(due: DueTime, until: datetime | None) -> TakenTimes:
    """Take the times that came, or those up to a time; others are left for the next look."""
    left = [time for time in _times(due) if until is not None and time > until]
    taken = [time for time in _due_times(due) if until is None or time <= until]
    return TakenTimes(taken, left[0] if left else _time_after(due))


def _due_times(due: DueTime) -> list[datetime]:
    """Return the scheduled times that came, as far as they are made up for, the oldest first.

    None is before the pipeline's start date or after its end date.
    """
    times = [time for time in _times(_until_the_end(due)) if _is_between(time, due)]
    if due.operator == "ABSENT":
        # It still lasts, so it is not missed.
        return times
    match due.catch_up:
        case CatchUp.ALL:
            return times
        case CatchUp.LAST:
            return times[-1:]
    return [time for time in times[-1:] if due.now - time <= _PUNCTUAL]


def _time_after(due: DueTime) -> datetime | None:
    """Return the next time; an absence has one at the start date, or after its next presence."""
    if due.operator == "ABSENT":
        is_early = due.start_date is not None and due.next_at < due.start_date
        return due.start_date if is_early else None
    last = _times(due)[-1]
    if due.operator == "CRON":
        return next_time(due.cron or "", due.zone or "", last)
    return last + _span(due)


def _until_the_end(due: DueTime) -> DueTime:
    """Return a condition as it was at the end date, for the last time may have come before that."""
    if due.end_date is None or not due.next_at <= due.end_date < due.now:
        return due
    return msgspec.structs.replace(due, now=due.end_date)


def _is_between(time: datetime, due: DueTime) -> bool:
    is_late = due.end_date is not None and time > due.end_date
    return not is_late and (due.start_date is None or time >= due.start_date)


def _times(due: DueTime) -> list[datetime]:
    if due.operator == "ABSENT":
        return [due.next_at]
    if due.catch_up == CatchUp.ALL:
        return _all_times(due)
    if due.operator == "CRON":
        return [last_time(due.cron or "", due.zone or "", due.next_at, due.now)]
    return [due.next_at + _whole(due) * _span(due)]


def _all_times(due: DueTime) -> list[datetime]:
    if due.operator == "CRON":
        return list_times(due.cron or "", due.zone or "", due.next_at, due.now, _MOST)
    return [due.next_at + i * _span(due) for i in range(min(_whole(due) + 1, _MOST))]


def _whole(due: DueTime) -> int:
    """How many whole intervals have gone since the time that was due."""
    return (due.now - due.next_at) // _span(due)


def _span(due: DueTime) -> timedelta:
    return timedelta(seconds=due.span or 0.0)
