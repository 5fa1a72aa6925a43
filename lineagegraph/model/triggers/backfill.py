"""What a backfill is asked to be, and the states that it comes through."""

from enum import StrEnum
from typing import Any

import msgspec

from lineagegraph.model.runs.states import RunState


class BackfillState(StrEnum):
    """The state of a backfill; while it is PAUSED it starts no more runs."""

    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class Which(StrEnum):
    """Which partitions a backfill runs, by the runs that they had.

    INCOMPLETE: none of them COMPLETED; MISSING: there was none; FAILED: the latest is FAILED or
    KILLED.
    """

    INCOMPLETE = "INCOMPLETE"
    MISSING = "MISSING"
    FAILED = "FAILED"
    ALL = "ALL"


class Order(StrEnum):
    """Which partition comes first."""

    OLDEST = "OLDEST"
    NEWEST = "NEWEST"


class TimeRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days or times from `first` to `last`, both included, for one parameter.

    Without a `parameter` it is the one of `partition_by` that is a date or a time.
    """

    first: str
    last: str
    step: str = "1d"
    zone: str = "UTC"
    parameter: str | None = None


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The partitions of a backfill: each of the times with each of the values with each row.

    `values` has texts or JSON values by parameter; a row has values for several parameters.
    """

    times: TimeRange | None = None
    values: dict[str, list[Any]] = {}
    rows: list[dict[str, Any]] = []
    which: Which = Which.INCOMPLETE
    order: Order = Order.OLDEST


def is_wanted(which: Which, latest: RunState | None, has_completed: bool) -> bool:
    """Say whether a partition is to run, by the state of its latest run."""
    match which:
        case Which.INCOMPLETE:
            return not has_completed
        case Which.MISSING:
            return latest is None
        case Which.FAILED:
            return latest in (RunState.FAILED, RunState.KILLED)
        case Which.ALL:
            return True
