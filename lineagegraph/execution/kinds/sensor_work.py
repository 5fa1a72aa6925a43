"""A sensor that its run pokes itself: it is not shared, or no sensor process runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Protocol

from lineagegraph.errors import RunError
from lineagegraph.execution.kinds.work import EndedElsewhere
from lineagegraph.execution.logs import Log
from lineagegraph.execution.outcome import EndReason, Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.definition import SensorTask
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.waits import poke_interval_after

SOFT_FAIL = "SOFT_FAIL"
LATE = "the wait's timeout was over before the run's own poke"


class SensorPoker(Protocol):
    """Pokes the sensors of a run."""

    def poke(self, step: Step) -> bool:
        """Return whether the sensor is true; raise the error of a failed poke."""

    def describe(self, step: Step) -> str:
        """Return the sensor in words."""

    def reason(self, step: Step) -> str:
        """Return why the run pokes it itself."""

    def is_late(self, step: Step) -> bool:
        """Return whether the deadline of an earlier wait is over."""

    def on_ended(self, step: Step, outcome: Outcome) -> None:
        """Handle the end of an attempt."""


class NoSensorPoker:
    """Refuses sensors."""

    def poke(self, step: Step) -> bool:
        """Refuse."""
        raise RunError(f"task {step.path}: sensors cannot be poked here: run it by a worker")

    def describe(self, step: Step) -> str:
        """Refuse."""
        raise RunError(f"task {step.path}: sensors cannot be poked here: run it by a worker")

    def reason(self, step: Step) -> str:
        """Return an empty text."""
        return ""

    def is_late(self, step: Step) -> bool:
        """Return False."""
        return False

    def on_ended(self, step: Step, outcome: Outcome) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class SensorWork:
    """Pokes a sensor until it is true; its supervisor limits the time."""

    step: Step
    task: SensorTask
    poker: SensorPoker
    log: Log
    over: Event = field(default_factory=Event)

    def run(self) -> None:
        """Poke until the sensor is true, and end with a message that gives the reason."""
        reason = self.poker.reason(self.step)
        self.log.write(f"pokes {self.poker.describe(self.step)}: {reason}\n")
        began = time.monotonic()
        while not self._poke():
            if self.poker.is_late(self.step):
                raise EndedElsewhere(Outcome(RunState.FAILED, EndReason.TIMEOUT, LATE))
            if self.over.wait(self._rest(time.monotonic() - began)):
                return
        raise EndedElsewhere(
            Outcome(RunState.COMPLETED, message=f"poked by the run itself: {reason}")
        )

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Stop poking."""
        self.over.set()
        returned(grace)

    def _rest(self, elapsed: float) -> float:
        return poke_interval_after(
            elapsed,
            interval=self.task.poke_interval,
            backoff=self.task.poke_backoff,
            longest=self.task.max_poke_interval,
        )

    def _poke(self) -> bool:
        """Poke once; log an error, and count it as not true."""
        try:
            return self.poker.poke(self.step)
        except Exception as error:
            self.log.write(f"poke failed: {type(error).__name__}: {error}\n")
            return False


def apply_soft_fail(step: Step, outcome: Outcome) -> Outcome:
    """Return the outcome of a step; a sensor with `soft_fail` that timed out is skipped."""
    if step.sensor and step.sensor.soft_fail and outcome.reason == EndReason.TIMEOUT:
        return replace(outcome, state=RunState.SKIPPED, reason=SOFT_FAIL)
    return outcome
