"""The Spark sessions of a run, and the `spark-submit` command of a task."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from lineagegraph.execution.parameters import fill
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import RunRequest
from lineagegraph.model.pipelines.definition import SparkSubmitTask
from lineagegraph.spark.cluster_drivers import ClusterManager, cluster_manager
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage
from lineagegraph.spark.submit import submit_command, submit_environment

_LISTENER = "io.openlineage.spark."
CAPTURED_DRIVER = Path(__file__).with_name("kinds") / "submitted_program.py"
"""The program that runs a Python file in its place, and captures its Spark work."""


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


@dataclass(frozen=True, slots=True)
class DriverCluster:
    """A cluster that runs a driver."""

    manager: ClusterManager
    master: str


@dataclass(frozen=True, slots=True)
class SparkSubmission:
    """A `spark-submit` with its variables; `cluster` is None if its driver runs on this machine.

    `is_captured` if the driver captures its Spark work.
    """

    command: list[str]
    environment: dict[str, str]
    cluster: DriverCluster | None
    is_captured: bool


def submission(
    step: Step, work: SparkSubmitTask, request: RunRequest, cluster: Mapping[str, str]
) -> SparkSubmission:
    """Return the command and the variables that hand a file to `spark-submit`.

    A file of the code folder goes before others of its name. A Python file whose driver runs here
    is captured, unless it has OpenLineage's own Spark listener, which reports under the task.
    """
    named = fill(work.file, step.params)
    file = str(request.code / named) if (request.code / named).exists() else named
    args = [fill(arg, step.params) for arg in work.args]
    conf = {**step.pipeline.spark, **cluster, **_parents(step), **work.conf}
    manager = cluster_manager(conf)
    listeners = conf.get("spark.extraListeners", "")
    is_captured = file.endswith(".py") and not manager and _LISTENER not in listeners
    if is_captured:
        file, args = str(CAPTURED_DRIVER), [file, *args]
    return SparkSubmission(
        submit_command(file, work.main, args, conf),
        submit_environment(conf, request.java_home),
        DriverCluster(manager, conf["spark.master"]) if manager else None,
        is_captured,
    )


def _parents(step: Step) -> dict[str, str]:
    root = step.root
    fields = {
        "parentJobNamespace": step.job.namespace,
        "parentJobName": step.job.name,
        "parentRunId": step.run_id,
        "rootParentJobNamespace": root.job.namespace,
        "rootParentJobName": root.job.name,
        "rootParentRunId": root.run_id,
    }
    return {f"spark.openlineage.{name}": value for name, value in fields.items()}
