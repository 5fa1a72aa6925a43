"""The jobs that a pipeline stands for: itself and its tasks, at every depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
