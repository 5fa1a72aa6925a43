"""The request for a backfill, and its states."""

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
    """The partitions that a backfill runs, by their earlier runs.

    INCOMPLETE: none of them COMPLETED; MISSING: there was none; FAILED: the latest is FAILED or
    KILLED.
    """

    INCOMPLETE = "INCOMPLETE"
    MISSING = "MISSING"
    FAILED = "FAILED"
    ALL = "ALL"


class PartitionOrder(StrEnum):
    """Which partition comes first."""

    OLDEST = "OLDEST"
    NEWEST = "NEWEST"


class NominalRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days or times from `first` to `last`, inclusive, for one parameter.

    Without a `parameter` it is the date or time parameter in `partition_by`.
    """

    first: str
    last: str
    step: str = "1d"
    zone: str = "UTC"
    parameter: str | None = None


class BackfillSpan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The partitions of a backfill: each time combined with each value and each row.

    `values` has texts or JSON values by parameter; a row has values for several parameters.
    """

    times: NominalRange | None = None
    values: dict[str, list[Any]] = {}
    rows: list[dict[str, Any]] = []
    which: Which = Which.INCOMPLETE
    order: PartitionOrder = PartitionOrder.OLDEST


def is_wanted(which: Which, latest: RunState | None, has_completed: bool) -> bool:
    """Return whether a partition is to run, by the state of its latest run."""
    match which:
        case Which.INCOMPLETE:
            return not has_completed
        case Which.MISSING:
            return latest is None
        case Which.FAILED:
            return latest in (RunState.FAILED, RunState.KILLED)
        case Which.ALL:
            return True
