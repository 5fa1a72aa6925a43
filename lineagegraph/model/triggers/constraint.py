"""What must hold, beside its condition, before a trigger's run may start.

Each constraint says what becomes of a firing that it keeps back: `abort` gives it up, `wait` holds
it until the constraint allows it.
"""

from __future__ import annotations

from datetime import time
from enum import StrEnum

import msgspec


class Otherwise(StrEnum):
    """What becomes of a firing that a constraint keeps back."""

    ABORT = "abort"
    WAIT = "wait"


class Constraint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One condition on when a firing may become a run."""

    otherwise: Otherwise = Otherwise.ABORT


class Concurrency(Constraint, frozen=True, kw_only=True, tag="concurrency", tag_field="kind"):
    """At most so many runs of the job at once, whoever started them."""

    limit: int


class Delay(msgspec.Struct, frozen=True, kw_only=True, tag="delay", tag_field="kind"):
    """The run starts so many seconds later: after the condition was satisfied, or first began."""

    seconds: float
    since: str = "satisfied"
    otherwise: Otherwise = Otherwise.WAIT


class Gap(Constraint, frozen=True, kw_only=True, tag="gap", tag_field="kind"):
    """So many seconds have gone since the last run of the job began."""

    seconds: float


class TimeRange(Constraint, frozen=True, kw_only=True, tag="time_range", tag_field="kind"):
    """The time of day in a zone is within a range, which may go over midnight; the end is out."""

    start: time
    end: time
    zone: str


class Rate(Constraint, frozen=True, kw_only=True, tag="rate", tag_field="kind"):
    """At most so many runs of the trigger in so many seconds."""

    limit: int
    seconds: float


AnyConstraint = Concurrency | Delay | Gap | TimeRange | Rate
