"""The coordinator's side of the gate: which steps are there, and which of them wait."""

from collections.abc import Callable, Mapping
from typing import Protocol

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.gate import Gate
from lineagegraph.execution.outcome import Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.execution.waiting import Waiting
from lineagegraph.model.pipelines.entry import Ended, Waits


class Deciding(Protocol):
    """What is told of the steps, in the thread that decides."""

    def tell(self, news: Callable[[], None]) -> None:
        """Have something done in that thread."""

    def begin(self, step: Step) -> None:
        """Start a step."""

    def end(self, step: Step, outcome: Outcome) -> None:
        """Let a step end as it is."""

    def wait(self, step: Step, found: Waits) -> None:
        """Say what a step waits for, in any thread."""


class Turnstile:
    """Steps go in by `ask`, and come out begun or ended."""

    def __init__(self, gate: Gate, cancellation: Cancellation, deciding: Deciding) -> None:
        self._gate = gate
        self._deciding = deciding
        self._inside: set[Step] = set()
        self._kept: set[Step] = set()
        self._rests = False
        self._waiting = Waiting(
            gate,
            cancellation,
            begin=lambda step: deciding.tell(lambda: self._begin(step)),
            end=lambda step, outcome: deciding.tell(lambda: self._end(step, outcome)),
            wait=deciding.wait,
            kept=lambda step: deciding.tell(lambda: self._kept.add(step)),
        )
        self._waiting.start()

    def ask(self, step: Step, ended: Mapping[str, Ended]) -> None:
        """Let a step in."""
        self._resume()
        self._inside.add(step)
        self._waiting.ask(step, ended)

    def rests(self, is_quiet: Callable[[], bool]) -> bool:
        """Say whether all that is left waits, and this process need not stay for it.

        `is_quiet` says whether nothing was told that is still to be done.
        """
        if not self._inside or self._inside != self._kept or self._rests:
            return False
        answer = self._waiting.rests(is_quiet)
        self._rests = answer is not None
        return bool(answer)

    def _begin(self, step: Step) -> None:
        self._leave(step)
        self._deciding.begin(step)

    def _end(self, step: Step, outcome: Outcome) -> None:
        self._leave(step)
        self._deciding.end(step, outcome)

    def _leave(self, step: Step) -> None:
        self._inside.discard(step)
        self._kept.discard(step)
        self._resume()

    def _resume(self) -> None:
        if self._rests:
            self._rests = False
            self._gate.resume()
