"""The Spark sessions of a run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from lineagegraph.execution.plan import Step
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage


class Sessions(Protocol):
    """The Spark sessions of one run; each starts only on demand."""

    @property
    def conf(self) -> dict[str, str]:
        """The configuration of the session."""

    def session(self) -> Any:
        """Return the run's Spark session."""

    def task(self, context: TaskContext) -> AbstractContextManager[Any]:
        """Attribute the Spark work of this thread to a task."""

    def cancel(self, run_id: str) -> None:
        """Cancel the Spark jobs of a task."""

    def stages(self) -> dict[str, list[Stage]]:
        """Return the progress of the newest Spark jobs of each task, by the task's run id."""

    def at_start(self, more: Callable[[], Mapping[str, str]]) -> None:
        """Add the configuration that `more` returns when the session starts."""

    def stop(self) -> None:
        """Stop the session, if there is one."""

    def cost(self) -> dict[str, Any] | None:
        """Return the cost of the stopped session, if there was one."""


OpenSessions = Callable[[dict[str, str], Callable[[Sequence[dict[str, Any]]], None]], Sessions]


def task_context(step: Step) -> TaskContext:
    """Return the context that Spark's capture needs of a task."""
    root = step.root
    return TaskContext(
        run_id=step.run_id,
        namespace=step.job.namespace,
        job=step.job.name,
        root_run_id=root.run_id,
        root_namespace=root.job.namespace,
        root_job=root.job.name,
    )
