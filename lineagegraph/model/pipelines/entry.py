"""The decision on a task of a batch at its turn: start, end without a run, or wait."""

from typing import Any

import msgspec

from lineagegraph.model.freshness.terms import Freshness
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.runs.values import TaskValue

SKIP_LIST = "SKIP_LIST"
UNCHANGED = "UNCHANGED"


class Start(msgspec.Struct, frozen=True):
    """It may start, and it holds the lease of its partition."""

    epoch: int


class End(msgspec.Struct, frozen=True):
    """It ends without a run: it is fresh or skipped, or a dependency is missing.

    `emitted` and `output` are the values of a run whose outcome it takes over.
    """

    state: RunState
    reason: str
    message: str
    emitted: dict[str, Any] = {}
    output: TaskValue | None = None


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """It waits for a success of another job, or without `freshness` for its own in another run."""

    job_key: str
    freshness: Freshness | None = None
    recheck: float = 120.0
    wait: float | None = None


class Waits(msgspec.Struct, frozen=True):
    """It waits; `reason` is the kind of wait, `message` names its target.

    `is_shared` if it waits for an equal task, maybe of another pipeline.
    """

    reason: str
    message: str
    on: tuple[Wait, ...]
    is_shared: bool = False


Entry = Start | End | Waits


class Ended(msgspec.Struct, frozen=True):
    """The end of a sibling task in the same run."""

    state: RunState
    reason: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether its data is that of this run: it completed, or its inputs are unchanged."""
        is_unchanged = self.state is RunState.FRESH_SKIP and self.reason == UNCHANGED
        return self.state is RunState.COMPLETED or is_unchanged


class Skipped(msgspec.Struct, frozen=True):
    """The entry of a job on the skip list."""

    reason: str
    author: str | None = None

    def end(self) -> End:
        """Return the end of a task on the list."""
        by = f" by {self.author}" if self.author else ""
        return End(RunState.SKIPPED, SKIP_LIST, f"on the skip list{by}: {self.reason}")
