"""Decide when each step of a run starts: one thread, which never blocks on a task."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.container import ContainerProgress
from lineagegraph.execution.events import Events
from lineagegraph.execution.gate import Gate, Parked
from lineagegraph.execution.logs import Log
from lineagegraph.execution.outcome import PASSED, EndReason, Outcome, killed, outcome_of
from lineagegraph.execution.places import RunPlaces
from lineagegraph.execution.plan import Step, add_behind
from lineagegraph.execution.reports import Reports
from lineagegraph.execution.wait_queue import WaitQueue
from lineagegraph.model.pipelines.entry import Waits
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.model.runs.states import JobKind, RunState
from lineagegraph.model.runs.values import TaskInput


class Coordinator:
    """Walks the tree of steps: opens containers, and runs tasks in a pool of `permits` threads.

    Only running tasks hold a thread, so nested containers cannot starve each other, and steps that
    wait at the gate hold back nothing else.
    """

    def __init__(
        self,
        events: Events,
        reports: Reports,
        cancellation: Cancellation,
        log: Log,
        run_task: Callable[[Step], Outcome],
        gate: Gate | None = None,
        late_gate: Callable[[], Gate] | None = None,
    ) -> None:
        self._events = events
        self._reports = reports
        self._cancellation = cancellation
        self._log = log
        self._run_task = run_task
        self._frames: dict[Step, ContainerProgress] = {}
        self._decisions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._outcome: Outcome | None = None
        self._running = 0
        self._deferred: set[Step] = set()
        self._places = RunPlaces()
        self._late_gate = late_gate
        self._queue = self._open_queue(gate) if gate else None

    def run(self, root: Step, permits: int) -> Outcome:
        """Run everything below the root, and return the root's outcome, which is not reported.

        Raises `Parked` if only waiting steps are left and they do not need this process.
        """
        self._places.number = permits
        try:
            with ThreadPoolExecutor(permits) as self._pool:
                self.begin(root)
                while self._outcome is None:
                    if self._is_idle():
                        raise Parked
                    self._decisions.get()()
                return self._outcome
        finally:
            if self._queue:
                self._queue.close()

    def post(self, decision: Callable[[], None]) -> None:
        """Run a function in the deciding thread."""
        self._decisions.put(decision)

    def begin(self, step: Step) -> None:
        """Start a step that nothing holds back."""
        self._log.write(f"{step.path or step.job.name} starts\n")
        self._receive(step)
        if step.kind is JobKind.TASK:
            self._running += 1
            self._places.take(step)
            future = self._pool.submit(self._run_task, step)
            future.add_done_callback(lambda done: self.post(lambda: self._ran(step, done.result())))
            return
        if step.path not in self._events.request.opened:
            self._reports.report([self._events.started(step)])
        self._frames[step] = ContainerProgress(step)
        self._advance(step)

    def end(self, step: Step, outcome: Outcome) -> None:
        """End a step, and all steps inside it, without running them."""
        self._report_end(step, outcome, is_known=False)
        has_begun = step in self._deferred or step.path in self._events.request.begun
        self._close(step, replace(outcome, has_begun=has_begun))

    def wait(self, step: Step, found: Waits) -> None:
        """Report that a step waits, and for which runs or sensor."""
        self._log.write(f"{step.path} waits: {found.message}\n")
        if step.sensor is None or step.path not in self._events.request.waiting:
            self._reports.report([self._events.waiting(step, found)])

    def _receive(self, step: Step) -> None:
        """Give a step the values of the tasks beside it that it takes."""
        if step.takes and step.parent:
            frame, folder = self._frames[step.parent], str(self._events.request.logs.parent)
            for name, task in step.takes.items():
                step.received[name] = TaskInput(task, frame.output(task), folder)

    def _is_idle(self) -> bool:
        """Return whether only waiting steps are left, and this process need not stay for them."""
        if self._running or not self._decisions.empty() or self._queue is None:
            return False
        return not self._reports.is_behind and self._queue.try_park(self._decisions.empty)

    def _ran(self, step: Step, outcome: Outcome) -> None:
        self._running -= 1
        self._places.give_back(step)
        if outcome.deferral is None:
            self._close(step, outcome)
        else:
            self._defer(step, outcome.deferral)

    def _open_queue(self, gate: Gate) -> WaitQueue:
        return WaitQueue(gate, self._cancellation, self, self._places)

    def _defer(self, step: Step, deferral: Deferral) -> None:
        """Let a task that has begun wait at the gate, which may be opened for it."""
        self._deferred.add(step)
        if self._queue is None and self._late_gate is not None:
            self._queue = self._open_queue(self._late_gate())
        if self._queue is None or step.parent is None:
            message = f"task {step.path} cannot defer here: run it by a worker"
            self.end(step, Outcome(RunState.FAILED, EndReason.INTERNAL, message))
            return
        self._queue.defer(step, deferral, self._frames[step.parent].ended())

    def _close(self, step: Step, outcome: Outcome) -> None:
        if step.parent is None:
            self._outcome = outcome
            return
        if step.wanted:
            why = f": {outcome.reason}, {outcome.message}" if outcome.reason else ""
            self._log.write(f"{step.path} {outcome.state}{why}\n")
        if step in self._frames:
            self._reports.report([self._events.ended(step, outcome)])
        frame = self._frames[step.parent]
        if outcome.added:
            self._expand(step, outcome, frame)
        frame.end(step, outcome)
        self._advance(step.parent)

    def _expand(self, step: Step, outcome: Outcome, frame: ContainerProgress) -> None:
        for added in outcome.added:
            group = add_behind(step, added.task, self._events.request, added.function)
            self._log.write(f"{step.path} adds {len(group.children)} tasks: {group.path}\n")
        frame.expand(step)

    def _advance(self, container: Step) -> None:
        frame = self._frames[container]
        for step in frame.ready():
            self._decide(step, frame)
        if frame.over:
            self.post(lambda: self._close(container, frame.outcome()))

    def _decide(self, step: Step, frame: ContainerProgress) -> None:
        known = self._events.request.known.get(step.path)
        end = known or self._end_at_once(step, frame)
        if end is not None:
            self._report_end(step, end, is_known=known is not None)
            self.post(lambda: self._close(step, end))
        elif self._queue and (step.may_wait or step.path in self._events.request.waiting):
            self._queue.ask(step, frame.ended())
        else:
            self.begin(step)

    def _report_end(self, step: Step, end: Outcome, *, is_known: bool) -> None:
        events = [] if is_known else [self._events.ended(one, end) for one in _inside_out(step)]
        if events:
            self._reports.report(events)

    def _end_at_once(self, step: Step, frame: ContainerProgress) -> Outcome | None:
        if not step.wanted:
            return frame.blocked(step) or self._passed(step)
        if self._cancellation.requested and not self._cleans_up(step, frame):
            return killed(self._cancellation.reason)
        if skip := self._skip_of(step):
            return skip
        if step.pool and self._queue is None:
            return _no_gate(step)
        # What the gate is asked about may start though what came before it did not complete.
        return None if self._queue and step.is_gated else frame.blocked(step)

    def _skip_of(self, step: Step) -> Outcome | None:
        """Return the end of a step on the skip list; the gate knows those with freshness terms."""
        skip = self._events.request.skips.get(step.job.key)
        return None if skip is None or step.is_gated else outcome_of(skip.end())

    def _cleans_up(self, step: Step, frame: ContainerProgress) -> bool:
        return step.is_teardown and self._cancellation.lets_clean_up and frame.may_clean_up(step)

    def _passed(self, step: Step) -> Outcome:
        """Return the outcome of a step that this run leaves out; earlier emitted values count."""
        request, inside = self._events.request, f"{step.path}."
        done = request.done
        if not step.children:
            output = request.outputs.get(step.path)
            return replace(PASSED, emitted=done.get(step.path, {}), output=output)
        below = {
            path.removeprefix(inside): v for path, v in done.items() if path.startswith(inside)
        }
        return replace(PASSED, emitted={path: values for path, values in below.items() if values})


def _no_gate(step: Step) -> Outcome:
    message = (
        f"task {step.path} was added with pool {step.pool}, but no task in the definition of its "
        "pipeline has a pool: give one to a task there"
    )
    return Outcome(RunState.FAILED, EndReason.POOL_NOT_DEFINED, message)


def _inside_out(step: Step) -> Iterator[Step]:
    return (each for each in reversed(list(step.walk())) if each.wanted)
