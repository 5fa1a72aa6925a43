"""A group or pipeline under way: which of its steps may start, and how it ends."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from lineagegraph.execution.branches import read_choice
from lineagegraph.execution.outcome import EndReason, Outcome
from lineagegraph.execution.plan import Step
from lineagegraph.execution.readiness import end_without_run, not_chosen, starts_early
from lineagegraph.model.pipelines.definition import ExpansionTask
from lineagegraph.model.pipelines.entry import Ended
from lineagegraph.model.runs.states import JobKind, RunState
from lineagegraph.model.runs.values import TaskValue

_FAILED = (RunState.FAILED, RunState.KILLED)


class ContainerProgress:
    """Hands out a container's steps in the order of their dependencies, each once."""

    def __init__(self, step: Step) -> None:
        self._steps: dict[str, Step] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._before: dict[str, list[str]] = {}
        self._waits: dict[str, int] = {}
        self._followers: defaultdict[str, list[str]] = defaultdict(list)
        self._free: list[Step] = []
        self._handed_out: set[str] = set()
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
            if not self._waits[name] or self._starts_early(name, outcome):
                self._hand_out(name)

    def ended(self) -> dict[str, Ended]:
        """Return how the steps ended that this run executes."""
        ends = self._outcomes.items()
        return {n: Ended(end.state, end.reason) for n, end in ends if self._steps[n].wanted}

    def output(self, name: str) -> TaskValue | None:
        """Return the value that an ended step returned."""
        return self._outcomes[name].output

    @property
    def over(self) -> bool:
        """Whether every step has ended."""
        return len(self._outcomes) == len(self._steps)

    def blocked(self, step: Step) -> Outcome | None:
        """Return the end of a step that cannot start because a dependency did not complete."""
        names = [name for name in self._before[step.name] if name in self._outcomes]
        if others := self._chose_otherwise(step, names):
            return not_chosen(others)
        before = {name: self._outcomes[name] for name in names}
        passed = (name for name in names if before[name].state is RunState.COMPLETED)
        left_out = {name for name in passed if not self._steps[name].wanted}
        return end_without_run(step, before, left_out)

    def may_clean_up(self, step: Step) -> bool:
        """Return whether a step before this one did something that a cancelled run leaves."""
        return any(self._outcomes[name].left_something for name in self._before[step.name])

    def outcome(self) -> Outcome:
        """Return the container's end: killed goes before failed, failed before completed.

        How a teardown ended does not count, but a failure is in the message.
        """
        has_begun = any(end.left_something for end in self._outcomes.values())
        unclean = tuple(path for paths in self._unclean().values() for path in paths)
        return replace(self._joined(), has_begun=has_begun, unclean=unclean)

    def _joined(self) -> Outcome:
        emitted, unclean = self._emitted(), self._unclean()
        for state in (RunState.KILLED, RunState.FAILED):
            for name, end in self._outcomes.items():
                if self._steps[name].is_teardown:
                    continue
                if end.state is state and end.reason != EndReason.UPSTREAM_FAILED:
                    # The message of the step names the teardowns inside it.
                    others = [path for n, paths in unclean.items() if n != name for path in paths]
                    message = "; ".join([f"{name}: {end.message}", *_describe(others)])
                    return Outcome(state, end.reason, message, end.trace, end.language, emitted)
        state = self._alike() or RunState.COMPLETED
        failed = [path for paths in unclean.values() for path in paths]
        return Outcome(state, message="".join(_describe(failed)) or None, emitted=emitted)

    def _unclean(self) -> dict[str, list[str]]:
        """Return the paths of teardowns that failed, by the name of the step."""
        return {
            name: [name]
            if self._steps[name].is_teardown and end.state in _FAILED
            else [f"{name}.{path}" for path in end.unclean]
            for name, end in self._outcomes.items()
        }

    def _alike(self) -> RunState | None:
        """Return the state of all steps if none of them ran."""
        counted = (n for n, s in self._steps.items() if s.wanted and not s.is_teardown)
        states = {self._outcomes[name].state for name in counted}
        not_run = states & {RunState.FRESH_SKIP, RunState.SKIPPED}
        return states.pop() if len(states) == 1 and not_run else None

    def _put(self, step: Step) -> None:
        self._steps[step.name] = step
        self._before[step.name] = []
        self._waits[step.name] = 0
        for name in dict.fromkeys(step.after):
            self._hold(step.name, name)
        if not self._waits[step.name]:
            self._hand_out(step.name)

    def _hand_out(self, name: str) -> None:
        """Free a step, unless it started before all steps before it had ended."""
        if name not in self._handed_out:
            self._handed_out.add(name)
            self._free.append(self._steps[name])

    def _starts_early(self, name: str, outcome: Outcome) -> bool:
        undecided = (n for n in self._before[name] if n not in self._outcomes)
        if any(self._steps[other].is_branch for other in undecided):
            return False
        return starts_early(self._steps[name], outcome)

    def _chose_otherwise(self, step: Step, before: list[str]) -> list[str]:
        """Return the branches before a step that chose neither it nor a step that leads to it."""
        if _is_expansion(step):
            return []
        choices = {name: read_choice(self._outcomes[name].output) for name in before}
        return [
            name
            for name, chosen in choices.items()
            if self._steps[name].is_branch and chosen is not None
            if not self._leads_to(step.name, chosen)
        ]

    def _leads_to(self, name: str, chosen: Collection[str]) -> bool:
        seen: set[str] = set()
        left = [name]
        while left:
            seen.add(one := left.pop())
            left += [other for other in self._before[one] if other not in seen]
        return not seen.isdisjoint(chosen)

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


def _describe(unclean: list[str]) -> list[str]:
    return [f"teardown failed: {', '.join(unclean)}"] if unclean else []
