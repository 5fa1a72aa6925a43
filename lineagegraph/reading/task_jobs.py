"""The jobs of a pipeline and its tasks, at every depth, and their dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lineagegraph.model.freshness.terms import Dependency
from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import Pipeline, PipelineTask, Task
from lineagegraph.model.pipelines.hierarchy import kind_of, name_task, tasks_in
from lineagegraph.model.runs.states import JobKind


@dataclass(frozen=True, slots=True)
class TaskJob:
    """The job of a task, and the path of the task below its pipeline."""

    name: JobName
    kind: JobKind
    path: tuple[str, ...]
    task: Task
    parent: JobName


def list_task_jobs(pipeline: Pipeline) -> list[TaskJob]:
    """Return the jobs of a pipeline's tasks, each after its parent."""
    top = name_job(pipeline.namespace, pipeline.name)
    return list(_below(pipeline.tasks, pipeline, top, ()))


def _below(
    tasks: tuple[Task, ...], pipeline: Pipeline, parent: JobName, above: tuple[str, ...]
) -> Iterator[TaskJob]:
    for task in tasks:
        path, name = (*above, task.name), name_task(task, parent, pipeline)
        yield TaskJob(name, kind_of(task.work), path, task, parent)
        inside = task.work.pipeline if isinstance(task.work, PipelineTask) else pipeline
        yield from _below(tasks_in(task.work), inside, name, path)


class FullName(NamedTuple):
    """The full name of a job."""

    namespace: str
    fqn: str


class ParentElsewhere(NamedTuple):
    """A task that depends on a job outside its pipeline or group."""

    child: TaskJob
    parent: FullName
    dependency: Dependency


def list_elsewhere(tasks: Iterable[TaskJob]) -> Iterator[ParentElsewhere]:
    """Yield each dependency of tasks on a job elsewhere."""
    for child in tasks:
        for one in child.task.dependencies:
            if not _is_beside(one, child):
                name = FullName(one.namespace or child.name.namespace, one.job)
                yield ParentElsewhere(child, name, one)


def list_beside(tasks: Iterable[TaskJob]) -> Iterator[tuple[TaskJob, tuple[str, ...], Dependency]]:
    """Yield each dependency of tasks on a task beside them, with its path."""
    for child in tasks:
        for one in child.task.dependencies:
            if _is_beside(one, child):
                yield child, (*child.path[:-1], one.job), one


def _is_beside(one: Dependency, child: TaskJob) -> bool:
    return one.namespace is None and one.job in child.task.after
