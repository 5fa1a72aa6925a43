"""A sensor that its run looks at itself: one that is not shared, or where nobody else looks."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.logs import Log
from lineagegraph.execution.outcome import EndReason, Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.execution.work import EndedElsewhere
from lineagegraph.model.pipelines.definition import SensorTask
from lineagegraph.model.runs.states import RunState

SOFT_FAIL = "SOFT_FAIL"
LATE = "the time of the wait was over before the run looked itself"


class SensorPoker(Protocol):
    """Looks at what the sensors of a run are about."""

    def poke(self, step: Step) -> bool:
        """Say whether it is there; raise what keeps from an answer."""

    def describe(self, step: Step) -> str:
        """Say in words what is looked at."""

    def reason(self, step: Step) -> str:
        """Say why the run looks itself."""

    def is_late(self, step: Step) -> bool:
        """Say whether all the time is over that a wait had which began before."""

    def on_ended(self, step: Step, outcome: Outcome) -> None:
        """Be told how an attempt ended."""


class NoSensorPoker:
    """Nobody looks."""

    def poke(self, step: Step) -> bool:
        """Refuse."""
        raise RunError(f"task {step.path}: nothing here looks at sensors")

    def describe(self, step: Step) -> str:
        """Refuse."""
        raise RunError(f"task {step.path}: nothing here looks at sensors")

    def reason(self, step: Step) -> str:
        """Return nothing."""
        return ""

    def is_late(self, step: Step) -> bool:
        """Say that it is not."""
        return False

    def on_ended(self, step: Step, outcome: Outcome) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class SensorWork:
    """Looks again and again until it is there; how long, its supervisor decides."""

    step: Step
    task: SensorTask
    poker: SensorPoker
    log: Log
    over: Event = field(default_factory=Event)

    def run(self) -> None:
        """Look until it is there, and end with a message that says who looked, and why."""
        reason = self.poker.reason(self.step)
        self.log.write(f"looks for {self.poker.describe(self.step)}: {reason}\n")
        while not self._poke():
            if self.poker.is_late(self.step):
                raise EndedElsewhere(Outcome(RunState.FAILED, EndReason.TIMEOUT, LATE))
            if self.over.wait(self.task.poke_interval):
                return
        raise EndedElsewhere(Outcome(RunState.COMPLETED, message=f"looked itself: {reason}"))

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Look no more."""
        self.over.set()
        returned(grace)

    def _poke(self) -> bool:
        """Look once; an error is no answer, and is told."""
        try:
            return self.poker.poke(self.step)
        except Exception as error:
            self.log.write(f"no answer: {type(error).__name__}: {error}\n")
            return False


def apply_soft_fail(step: Step, outcome: Outcome) -> Outcome:
    """Return the end of a step; a sensor that fails softly is skipped where it came to nothing."""
    if step.sensor and step.sensor.soft_fail and outcome.reason == EndReason.TIMEOUT:
        return replace(outcome, state=RunState.SKIPPED, reason=SOFT_FAIL)
    return outcome
