"""A Python function as a task."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import isasyncgen, iscoroutine, isgenerator
from time import monotonic
from typing import Any

from lineagegraph.errors import RunError
from lineagegraph.execution.parameters import revive
from lineagegraph.execution.plan import Step
from lineagegraph.execution.sessions import Sessions, task_context
from lineagegraph.execution.used import TaskUses
from lineagegraph.execution.values.decode import read_inputs
from lineagegraph.execution.values.encode import ReturnedValue
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.process_environment.handover import stated_environment
from lineagegraph.settings import load_settings

Load = Callable[[PythonTask, str], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class PythonWork:
    """Calls the function, with a Spark session if it takes `spark`.

    A Python thread cannot be killed, only its Spark jobs can; code that continues without them runs
    until its process ends.
    """

    step: Step
    function: PythonTask
    load: Load
    sessions: Sessions
    used: TaskUses
    returned: ReturnedValue = field(default_factory=ReturnedValue)

    def run(self) -> None:
        """Load the function and call it with its named arguments."""
        # The tasks of a run share this process: the variables stay for later ones.
        if self.step.task and self.step.task.pass_env:
            os.environ.update(stated_environment(load_settings(), self.step.task.pass_env))
        arguments = self._arguments()
        with self.sessions.task(task_context(self.step)):
            function = self.step.function or self.load(self.function, self.step.path)
            arguments |= read_inputs(function, self.step.received)
            with self.used.receiving():
                result = function(**arguments)
                if iscoroutine(result):
                    result = asyncio.run(result)
                self._refuse_generator(result)
            step = self.step
            self.returned.take(result, is_taken=step.is_taken, is_choice=step.is_branch)

    def stop(self, returned: Callable[[float], bool], grace: float) -> None:
        """Cancel its Spark jobs, repeatedly: the code may start new ones."""
        cancel_until(self.sessions, self.step.run_id, returned, grace)

    def _refuse_generator(self, result: Any) -> None:
        """Raise `RunError` if the call has only made a generator, as one below a decorator does."""
        code = getattr(result, "gi_code", None) or getattr(result, "ag_code", None)
        is_made = isgenerator(result) or isasyncgen(result)
        if is_made and code and code.co_name != "<genexpr>":
            raise RunError(
                f"task {self.step.path} returned a generator, so its code has not run: "
                "go through it in the task, and return a list"
            )

    def _arguments(self) -> dict[str, Any]:
        values = revive(self.step.pipeline.parameters, self.step.params)
        taken = {name: values[name] for name in self.function.arguments if name in values}
        if "spark" in self.function.arguments:
            taken["spark"] = self.sessions.session()
        return taken


def cancel_until(
    sessions: Sessions, run_id: str, returned: Callable[[float], bool], grace: float
) -> None:
    """Cancel the Spark jobs of a task until its code has returned, or the grace time is over."""
    end = monotonic() + grace
    while not returned(0) and (remaining := end - monotonic()) > 0:
        sessions.cancel(run_id)
        returned(min(0.5, remaining))
