"""Tasks of a run that wait for their turn at the gate; none of them holds a worker thread."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Protocol

import structlog

from lineagegraph.errors import GraphError
from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.gate import Gate
from lineagegraph.execution.outcome import EndReason, Outcome, killed, outcome_of
from lineagegraph.execution.places import RunPlaces
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.entry import End, Ended, Start, Waits
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.model.runs.states import RunState

log = structlog.get_logger()
ROUND_SECONDS = 1.0
_LAST_SECONDS = 5.0
Asked = tuple[Step, Mapping[str, Ended]]


class GatePoller:
    """Asks the gate for tasks, in a thread of its own, until they may start or have ended.

    `begin` and `end` are called with the decision on a task, `wait` before its wait is recorded,
    and `kept` afterwards. While the graph is away all tasks wait.
    """

    def __init__(
        self,
        gate: Gate,
        cancellation: Cancellation,
        places: RunPlaces,
        *,
        begin: Callable[[Step], None],
        end: Callable[[Step, Outcome], None],
        wait: Callable[[Step, Waits], None],
        kept: Callable[[Step], None],
    ) -> None:
        self._gate = gate
        self._cancellation = cancellation
        self._places = places
        self._begin, self._end, self._wait, self._kept = begin, end, wait, kept
        self._asked: SimpleQueue[Asked | None] = SimpleQueue()
        self._turn: list[Asked] = []
        self._waiting: dict[Step, Mapping[str, Ended]] = {}
        self._held_back: list[Asked] = []
        self._round = Lock()
        self._over = False
        self._thread = Thread(target=self._run, name="gate", daemon=True)

    def start(self) -> None:
        """Start asking."""
        self._stop_listening = self._gate.listen(lambda: self._asked.put(None))
        self._thread.start()

    def close(self) -> None:
        """Stop asking, after the round under way unless the graph is away."""
        self._over = True
        self._stop_listening()
        self._asked.put(None)
        self._thread.join(_LAST_SECONDS)

    def ask(self, step: Step, ended: Mapping[str, Ended]) -> None:
        """Ask for a task in the next round."""
        self._asked.put((step, ended))

    def try_park(self, is_quiet: Callable[[], bool]) -> bool | None:
        """Return whether the run was parked; asking stops then.

        Returns None if tasks are to be asked for, or `is_quiet` returns False; nothing else arrives
        between two rounds.
        """
        with self._round:
            if self._turn or self._held_back or not is_quiet():
                return None
            try:
                self._over = self._gate.try_park()
            except GraphError as error:
                log.warning("run_not_parked", error=str(error))
            return self._over

    def _run(self) -> None:
        while not self._over:
            self._listen()
            with self._round:
                if not self._over:
                    self._go_round()

    def _listen(self) -> None:
        """Receive new tasks, for at most one round."""
        timeout = ROUND_SECONDS
        while True:
            try:
                asked = self._asked.get(timeout=timeout)
            except Empty:
                return
            if asked is not None:
                self._turn.append(asked)
            timeout = 0

    def _go_round(self) -> None:
        turn: list[Asked] = []
        try:
            ready = self._take_ready()
            turn = sorted(self._turn + self._take_held_back() + ready, key=_rank)
            self._turn = []
            while turn:
                self._enter(*turn[0])
                turn.pop(0)
        except Exception as error:
            # Whatever it is, the others wait on: a cancellation has to reach them.
            is_known = isinstance(error, GraphError)
            log.warning("gate_not_asked", error=str(error), exc_info=not is_known)
            self._turn += turn

    def _take_ready(self) -> list[Asked]:
        steps = list(self._waiting)
        if steps and not self._cancellation.requested:
            steps = [step for step in self._gate.list_ready(steps) if step in self._waiting]
        return [(step, self._waiting[step]) for step in steps]

    def _take_held_back(self) -> list[Asked]:
        if self._places.is_full and not self._cancellation.requested:
            return []
        held_back, self._held_back = self._held_back, []
        return held_back

    def _enter(self, step: Step, ended: Mapping[str, Ended]) -> None:
        was_waiting = self._waiting.pop(step, None) is not None
        if self._cancellation.requested:
            return self._end(step, killed(self._cancellation.reason))
        if step.pool and not self._places.try_take(step):
            return self._hold_back(step, ended, was_waiting)
        try:
            entry = self._gate.enter(step, ended)
            if isinstance(entry, Start):
                return self._begin(step)
            self._places.give_back(step)
            self._decide(step, ended, entry)
        except GraphError:
            self._places.give_back(step)
            raise
        except Exception as error:
            self._places.give_back(step)
            message = f"{type(error).__name__}: {error}"
            self._end(step, Outcome(RunState.FAILED, EndReason.INTERNAL, message))

    def _decide(self, step: Step, ended: Mapping[str, Ended], entry: End | Waits) -> None:
        match entry:
            case End():
                self._end(step, outcome_of(entry))
            case Waits():
                self._keep(step, ended, entry)

    def _hold_back(self, step: Step, ended: Mapping[str, Ended], was_waiting: bool) -> None:
        """Keep a step until the run has a place for it; others may take the slots meanwhile."""
        if was_waiting:
            # Without an answer the others wait until this step gets a place.
            with suppress(GraphError):
                self._gate.hold_back(step)
        self._held_back.append((step, ended))

    def _keep(self, step: Step, ended: Mapping[str, Ended], found: Waits) -> None:
        self._wait(step, found)
        if self._gate.keep(step, found):
            self._waiting[step] = ended
            self._kept(step)
        else:
            self._turn.append((step, ended))


def _rank(asked: Asked) -> int:
    """Return the place of a step in a round: the highest priority first."""
    task = asked[0].task
    return -task.priority if task else 0


class StepScheduler(Protocol):
    """Handles decisions on steps, in the deciding thread."""

    def post(self, decision: Callable[[], None]) -> None:
        """Run a function in that thread."""

    def begin(self, step: Step) -> None:
        """Start a step."""

    def end(self, step: Step, outcome: Outcome) -> None:
        """End a step without running it."""

    def wait(self, step: Step, found: Waits) -> None:
        """Report that a step waits; callable from any thread."""


class WaitQueue:
    """Steps enter by `ask`, and leave begun or ended."""

    def __init__(
        self,
        gate: Gate,
        cancellation: Cancellation,
        scheduler: StepScheduler,
        places: RunPlaces,
    ) -> None:
        self._gate = gate
        self._scheduler = scheduler
        self._inside: set[Step] = set()
        self._kept: set[Step] = set()
        self._is_parked = False
        self._waiting = GatePoller(
            gate,
            cancellation,
            places,
            begin=lambda step: scheduler.post(lambda: self._begin(step)),
            end=lambda step, outcome: scheduler.post(lambda: self._end(step, outcome)),
            wait=scheduler.wait,
            kept=lambda step: scheduler.post(lambda: self._kept.add(step)),
        )
        self._waiting.start()

    def ask(self, step: Step, ended: Mapping[str, Ended]) -> None:
        """Add a step."""
        self._resume()
        self._inside.add(step)
        self._waiting.ask(step, ended)

    def defer(self, step: Step, deferral: Deferral, ended: Mapping[str, Ended]) -> None:
        """Add a step that has begun and waits for a sensor."""
        self._gate.defer(step, deferral)
        self.ask(step, ended)

    def try_park(self, is_quiet: Callable[[], bool]) -> bool:
        """Return whether only waiting steps are left and the run was parked.

        `is_quiet` returns whether no posted function is left to run.
        """
        if not self._inside or self._inside != self._kept or self._is_parked:
            return False
        answer = self._waiting.try_park(is_quiet)
        self._is_parked = answer is not None
        return bool(answer)

    def close(self) -> None:
        """Stop asking the gate."""
        self._waiting.close()

    def _begin(self, step: Step) -> None:
        self._leave(step)
        self._scheduler.begin(step)

    def _end(self, step: Step, outcome: Outcome) -> None:
        self._leave(step)
        self._scheduler.end(step, outcome)

    def _leave(self, step: Step) -> None:
        self._inside.discard(step)
        self._kept.discard(step)
        self._resume()

    def _resume(self) -> None:
        """Record that the run has work; if the graph does not take it, the next step does."""
        if self._is_parked:
            try:
                self._gate.resume()
                self._is_parked = False
            except GraphError as error:
                log.warning("work_not_recorded", error=str(error))
