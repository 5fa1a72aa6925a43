"""What a task of a batch may do when it is its turn: start, end without having run, or wait."""

from typing import Any

import msgspec

from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.runs.states import RunState


class Start(msgspec.Struct, frozen=True):
    """Nothing keeps it back, and the lease of its partition is its own."""

    epoch: int


class End(msgspec.Struct, frozen=True):
    """It ends as it is: it is fresh or skipped, or what it needs is not there.

    `emitted` are the values of a run whose outcome it takes.
    """

    state: RunState
    reason: str
    message: str
    emitted: dict[str, Any] = {}


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """It waits for a success of another job, or without `freshness` for its own in another run."""

    job_key: str
    freshness: Freshness | None = None
    recheck: float = 120.0
    wait: float | None = None


class Waits(msgspec.Struct, frozen=True):
    """It waits; `reason` says for what kind of thing, `message` for which.

    `is_shared` says that it is for an equal task, maybe of another pipeline.
    """

    reason: str
    message: str
    on: tuple[Wait, ...]
    is_shared: bool = False


Entry = Start | End | Waits


class Ended(msgspec.Struct, frozen=True):
    """How a task beside it ended in the same run."""

    state: RunState
    reason: str | None = None


class Skipped(msgspec.Struct, frozen=True):
    """Why a job is on the skip list."""

    reason: str
    author: str | None = None
