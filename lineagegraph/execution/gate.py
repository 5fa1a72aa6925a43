"""The gate that decides when waiting tasks start: freshness, identity, sensors, pools."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.entry import Ended, Entry, Waits
from lineagegraph.model.runs.deferral import Deferral


class Gate(Protocol):
    """Asked for each such task once its dependencies in the same group have ended."""

    def enter(self, step: Step, ended: Mapping[str, Ended]) -> Entry:
        """Decide on a task; `ended` has the outcomes of its siblings in this run."""

    def keep(self, step: Step, found: Waits) -> bool:
        """Record the wait of a task; False: it has to be asked for again."""

    def defer(self, step: Step, deferral: Deferral) -> None:
        """Let a task that has begun wait for a sensor when it is asked for next."""

    def hold_back(self, step: Step) -> None:
        """Let others go first in the pool of a waiting task that has no place in its run."""

    def listen(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change`, from any thread, when a wait may be over; return what ends this."""

    def list_ready(self, steps: Iterable[Step]) -> Collection[Step]:
        """Return those waiting tasks that are to be asked for again."""

    def try_park(self) -> bool:
        """Park the run if this process need not stay for its waits; return whether it did."""

    def resume(self) -> None:
        """Record that the run has work again."""


class Parked(Exception):
    """Only waiting tasks are left of the run, and another process will resume it."""
