"""The jobs that a pipeline's tasks are, at every depth."""

from collections.abc import Iterator

from lineagegraph.model.definition import Pipeline, PipelineTask, Task
from lineagegraph.model.names import JobName, name_job
from lineagegraph.model.places import name_task, tasks_in


def list_task_jobs(pipeline: Pipeline) -> list[tuple[str, JobName]]:
    """Return the path below the pipeline and the job of each task."""
    top = name_job(pipeline.namespace, pipeline.name)
    return list(_below(pipeline.tasks, pipeline, top, ""))


def _below(
    tasks: tuple[Task, ...], pipeline: Pipeline, parent: JobName, above: str
) -> Iterator[tuple[str, JobName]]:
    for task in tasks:
        path, job = f"{above}{task.name}", name_task(task, parent, pipeline)
        yield path, job
        inside = task.work.pipeline if isinstance(task.work, PipelineTask) else pipeline
        yield from _below(tasks_in(task.work), inside, job, f"{path}.")
