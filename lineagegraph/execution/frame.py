"""A group or pipeline that is under way: what may start in it, and how it ends."""

from graphlib import TopologicalSorter

from lineagegraph.execution.outcome import Outcome, Reason, upstream_failed
from lineagegraph.execution.plan import Step
from lineagegraph.model.states import RunState


class Frame:
    """Hands out a container's steps in order of their dependencies, each once."""

    def __init__(self, step: Step) -> None:
        self._steps = {child.name: child for child in step.children}
        self._outcomes: dict[str, Outcome] = {}
        self._order = TopologicalSorter({child.name: child.after for child in step.children})
        self._order.prepare()

    def ready(self) -> list[Step]:
        """Return the steps that nothing holds back any more."""
        return [self._steps[name] for name in self._order.get_ready()]

    def end(self, step: Step, outcome: Outcome) -> None:
        """Say how one of the steps ended."""
        self._outcomes[step.name] = outcome
        self._order.done(step.name)

    @property
    def over(self) -> bool:
        """Whether every step has ended."""
        return not self._order.is_active()

    def blocked(self, step: Step) -> Outcome | None:
        """Return the end of a step that cannot start because one before it did not complete."""
        bad = [n for n in step.after if self._outcomes[n].state is not RunState.COMPLETED]
        return upstream_failed(bad) if bad else None

    def outcome(self) -> Outcome:
        """Return the container's end: killed before failed before completed."""
        emitted = self._emitted()
        for state in (RunState.KILLED, RunState.FAILED):
            for name, end in self._outcomes.items():
                if end.state is state and end.reason != Reason.UPSTREAM_FAILED:
                    message = f"{name}: {end.message}"
                    return Outcome(state, end.reason, message, end.trace, end.language, emitted)
        return Outcome(RunState.COMPLETED, emitted=emitted)

    def _emitted(self) -> dict[str, object]:
        joined: dict[str, object] = {}
        for name, end in self._outcomes.items():
            if self._steps[name].children:
                joined |= {f"{name}.{path}": values for path, values in end.emitted.items()}
            elif end.emitted:
                joined[name] = dict(end.emitted)
        return joined
