"""Who says what a task with terms of freshness may do."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.entry import Ended, Entry, Waits


class Gate(Protocol):
    """Asked for each such task when all beside it that come before have ended."""

    def enter(self, step: Step, ended: Mapping[str, Ended]) -> Entry:
        """Say what a task does now; `ended` has those beside it that this run carried out."""

    def keep(self, step: Step, found: Waits) -> bool:
        """Keep what a task waits for; False: it has to be asked for again."""

    def listen(self, on_change: Callable[[], None]) -> None:
        """Call `look` when what is waited for may have come, from any thread."""

    def list_ready(self, steps: Iterable[Step]) -> Collection[Step]:
        """Return those waiting tasks that are to be asked for again."""

    def try_park(self) -> bool:
        """Be told that all that is left waits; say whether this process shall not stay for it."""

    def resume(self) -> None:
        """Be told that something goes on."""


class Parked(Exception):
    """All that is left of the run waits, and another process will go on with it."""
