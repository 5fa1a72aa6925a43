"""Deferrals of the running task: answers that it has, and the end of its process for the next."""

from contextlib import AbstractContextManager
from contextvars import ContextVar

from lineagegraph.errors import RunError
from lineagegraph.execution.plan import Step
from lineagegraph.model.holding import holding
from lineagegraph.model.runs.deferral import Deferral, DeferralAnswer

_current: ContextVar["Deferrals | None"] = ContextVar("lineagegraph_deferrals", default=None)


class TaskDeferred(BaseException):
    """Ends the process of a task; no `Exception`, so that `except Exception` lets it pass."""

    def __init__(self, deferral: Deferral) -> None:
        super().__init__(f"waits for {deferral.text}")
        self.deferral = deferral


class Deferrals:
    """The deferrals of one attempt, in the order of its code."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._number = 0

    @property
    def namespace(self) -> str:
        """Return the namespace of the task's pipeline."""
        return self._step.pipeline.namespace

    def answer(self, deferral: Deferral) -> DeferralAnswer:
        """Return the answer that the task has, or raise `TaskDeferred` to wait for one.

        Raises `RunError` if the code asked for another sensor before.
        """
        number, answers = self._number, self._step.answers
        if number >= len(answers):
            raise TaskDeferred(deferral)
        if answers[number].asked != deferral.asked:
            raise RunError(
                f"defer() number {number + 1} of task {self._step.path} has the answer of another "
                f"sensor than {deferral.text}: code before it must be the same each time"
            )
        self._number += 1
        return answers[number]

    def receiving(self) -> AbstractContextManager[None]:
        """Answer `defer` in this thread, and in contexts copied from it."""
        return holding(_current, self)


def current_deferrals() -> Deferrals:
    """Return those of the running task; raise `RunError` outside of one."""
    found = _current.get()
    if found is None:
        raise RunError(
            "defer() was called outside a Python task: call it in a task's own thread; before a "
            "notebook, a command or a task on a cluster put a task lg.sensor(…)"
        )
    return found
