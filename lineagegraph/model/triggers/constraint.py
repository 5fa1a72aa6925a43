"""Constraints on starting a trigger's run, beside its condition.

Each constraint decides about a firing that it holds back: `abort` gives it up, `wait` holds it
until the constraint allows it.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

import msgspec

from lineagegraph.model.names.zones import find_zone


class Otherwise(StrEnum):
    """The fate of a firing that a constraint holds back."""

    ABORT = "abort"
    WAIT = "wait"


class Constraint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One condition on when a firing may become a run."""

    otherwise: Otherwise = Otherwise.ABORT


class Concurrency(Constraint, frozen=True, kw_only=True, tag="concurrency", tag_field="kind"):
    """At most `limit` runs of the job at once, from any source."""

    limit: int


class Delay(msgspec.Struct, frozen=True, kw_only=True, tag="delay", tag_field="kind"):
    """The run starts a number of seconds after the condition was satisfied, or first began."""

    seconds: float
    since: str = "satisfied"
    otherwise: Otherwise = Otherwise.WAIT


class Gap(Constraint, frozen=True, kw_only=True, tag="gap", tag_field="kind"):
    """A number of seconds have passed since the last run was queued, or first heard of."""

    seconds: float


class TimeRange(Constraint, frozen=True, kw_only=True, tag="time_range", tag_field="kind"):
    """The time of day in a zone is in a range, which may span midnight; the end is exclusive."""

    start: time
    end: time
    zone: str

    def next_start(self, now: datetime) -> datetime | None:
        """Return when the range begins next, None if it includes the time now."""
        zone = find_zone(self.zone)
        local = now.astimezone(zone)
        clock = local.time()
        if self.start < self.end:
            is_in = self.start <= clock < self.end
        else:
            is_in = clock >= self.start or clock < self.end
        if is_in:
            return None
        day = local.date() + timedelta(days=clock >= self.start)
        return datetime.combine(day, self.start, zone).astimezone(UTC)


class Rate(Constraint, frozen=True, kw_only=True, tag="rate", tag_field="kind"):
    """At most a number of runs of the trigger in a time span."""

    limit: int
    seconds: float


class NotFailing(Constraint, frozen=True, kw_only=True, tag="not_failing", tag_field="kind"):
    """A job has not failed since its last success; the default namespace is the started job's."""

    job: str
    namespace: str | None = None


AnyConstraint = Concurrency | Delay | Gap | TimeRange | Rate | NotFailing
