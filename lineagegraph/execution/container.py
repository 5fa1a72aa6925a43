"""A group or pipeline under way: which of its steps may start, and how it ends."""

from collections import defaultdict

from lineagegraph.execution.outcome import EndReason, Outcome, upstream_failed, upstream_skipped
from lineagegraph.execution.plan import Step
from lineagegraph.model.pipelines.definition import ExpansionTask
from lineagegraph.model.pipelines.entry import Ended
from lineagegraph.model.runs.states import JobKind, RunState


class ContainerProgress:
    """Hands out a container's steps in the order of their dependencies, each once."""

    def __init__(self, step: Step) -> None:
        self._steps: dict[str, Step] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._before: dict[str, list[str]] = {}
        self._waits: dict[str, int] = {}
        self._followers: defaultdict[str, list[str]] = defaultdict(list)
        self._free: list[Step] = []
        for child in step.children:
            if not _is_expansion(child):
                self._put(child)
        for child in step.children:
            self.expand(child)

    def ready(self) -> list[Step]:
        """Return the steps that no unfinished dependency holds back any more."""
        free, self._free = self._free, []
        return free

    def expand(self, caller: Step) -> None:
        """Insert the steps that a running step added: before all that depend on it."""
        for added in caller.added:
            for name in self._followers[caller.name]:
                if not _is_expansion(self._steps[name]):
                    self._hold(name, added.name)
        for added in caller.added:
            self._put(added)

    def end(self, step: Step, outcome: Outcome) -> None:
        """Record how one of the steps ended."""
        self._outcomes[step.name] = outcome
        for name in self._followers.pop(step.name, ()):
            self._waits[name] -= 1
            if not self._waits[name]:
                self._free.append(self._steps[name])

    def ended(self) -> dict[str, Ended]:
        """Return how the steps ended that this run executes."""
        ends = self._outcomes.items()
        return {n: Ended(end.state, end.reason) for n, end in ends if self._steps[n].wanted}

    @property
    def over(self) -> bool:
        """Whether every step has ended."""
        return len(self._outcomes) == len(self._steps)

    def blocked(self, step: Step) -> Outcome | None:
        """Return the end of a step that cannot start because a dependency did not complete."""
        before = self._before[step.name]
        bad = [name for name in before if self._outcomes[name].state is not RunState.COMPLETED]
        if bad and all(self._outcomes[name].state is RunState.SKIPPED for name in bad):
            return upstream_skipped(bad)
        return upstream_failed(bad) if bad else None

    def outcome(self) -> Outcome:
        """Return the container's end: killed goes before failed, failed before completed."""
        emitted = self._emitted()
        for state in (RunState.KILLED, RunState.FAILED):
            for name, end in self._outcomes.items():
                if end.state is state and end.reason != EndReason.UPSTREAM_FAILED:
                    message = f"{name}: {end.message}"
                    return Outcome(state, end.reason, message, end.trace, end.language, emitted)
        return Outcome(self._alike() or RunState.COMPLETED, emitted=emitted)

    def _alike(self) -> RunState | None:
        """Return the state of all steps if none of them ran."""
        states = {end.state for name, end in self._outcomes.items() if self._steps[name].wanted}
        not_run = states & {RunState.FRESH_SKIP, RunState.SKIPPED}
        return states.pop() if len(states) == 1 and not_run else None

    def _put(self, step: Step) -> None:
        self._steps[step.name] = step
        self._before[step.name] = []
        self._waits[step.name] = 0
        for name in dict.fromkeys(step.after):
            self._hold(step.name, name)
        if not self._waits[step.name]:
            self._free.append(step)

    def _hold(self, name: str, before: str) -> None:
        """Make a step wait for another."""
        self._before[name].append(before)
        self._waits[name] += 1
        self._followers[before].append(name)

    def _emitted(self) -> dict[str, object]:
        joined: dict[str, object] = {}
        for name, end in self._outcomes.items():
            if self._steps[name].kind is not JobKind.TASK:
                joined |= {f"{name}.{path}": values for path, values in end.emitted.items()}
            elif end.emitted:
                joined[name] = dict(end.emitted)
        return joined


def _is_expansion(step: Step) -> bool:
    return step.task is not None and isinstance(step.task.work, ExpansionTask)
