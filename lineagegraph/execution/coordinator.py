"""Decides which step of a run starts when; one thread does, and never waits for one task."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.events import Events
from lineagegraph.execution.frame import Frame
from lineagegraph.execution.logs import Log
from lineagegraph.execution.outcome import PASSED, Outcome, killed
from lineagegraph.execution.plan import Step, add_behind
from lineagegraph.execution.reports import Reports
from lineagegraph.model.states import JobKind


class Coordinator:
    """Walks the tree: containers are opened here, tasks run in a pool of `permits` threads.

    Only tasks hold a thread, so containers inside containers cannot starve each other.
    """

    def __init__(
        self,
        events: Events,
        reports: Reports,
        cancellation: Cancellation,
        log: Log,
        run_task: Callable[[Step], Outcome],
    ) -> None:
        self._events = events
        self._reports = reports
        self._cancellation = cancellation
        self._log = log
        self._run_task = run_task
        self._frames: dict[Step, Frame] = {}
        self._ended: SimpleQueue[tuple[Step, Callable[[], Outcome]]] = SimpleQueue()

    def run(self, root: Step, permits: int) -> Outcome:
        """Run everything below the root, and return how the root ended, which isn't reported."""
        with ThreadPoolExecutor(permits) as self._pool:
            self._open(root)
            while (ending := self._ended.get())[0] is not root:
                step, result = ending
                self._close(step, result())
            return ending[1]()

    def _open(self, step: Step) -> None:
        self._log.write(f"{step.path or step.job.name} starts\n")
        if step.kind is JobKind.TASK:
            future = self._pool.submit(self._run_task, step)
            future.add_done_callback(lambda done: self._ended.put((step, done.result)))
            return
        self._reports.report([self._events.started(step)])
        self._frames[step] = Frame(step)
        self._advance(step)

    def _close(self, step: Step, outcome: Outcome) -> None:
        if step.wanted:
            why = f": {outcome.reason}, {outcome.message}" if outcome.reason else ""
            self._log.write(f"{step.path} {outcome.state}{why}\n")
        if step in self._frames:
            self._reports.report([self._events.ended(step, outcome)])
        assert step.parent is not None
        frame = self._frames[step.parent]
        if outcome.added:
            self._expand(step, outcome, frame)
        frame.end(step, outcome)
        self._advance(step.parent)

    def _expand(self, step: Step, outcome: Outcome, frame: Frame) -> None:
        for added in outcome.added:
            group = add_behind(step, added.task, self._events.request, added.function)
            self._log.write(f"{step.path} adds {len(group.children)} tasks: {group.path}\n")
        frame.expand(step)

    def _advance(self, container: Step) -> None:
        frame = self._frames[container]
        for step in frame.ready():
            self._decide(step, frame)
        if frame.over:
            self._ended.put((container, frame.outcome))

    def _decide(self, step: Step, frame: Frame) -> None:
        end = self._end_at_once(step, frame)
        if end is None:
            self._open(step)
            return
        events = [self._events.ended(each, end) for each in _inside_out(step)]
        if events:
            self._reports.report(events)
        self._ended.put((step, lambda: end))

    def _end_at_once(self, step: Step, frame: Frame) -> Outcome | None:
        if not step.wanted:
            return frame.blocked(step) or self._passed(step)
        if self._cancellation.requested:
            return killed(self._cancellation.reason)
        return frame.blocked(step)

    def _passed(self, step: Step) -> Outcome:
        """Return the end of what this run leaves out: what it emitted before counts."""
        done, inside = self._events.request.done, f"{step.path}."
        if not step.children:
            return replace(PASSED, emitted=done.get(step.path, {}))
        below = {
            path.removeprefix(inside): v for path, v in done.items() if path.startswith(inside)
        }
        return replace(PASSED, emitted={path: values for path, values in below.items() if values})


def _inside_out(step: Step) -> Iterator[Step]:
    return (each for each in reversed(list(step.walk())) if each.wanted)
