"""Where the tasks of a pipeline stand in the hierarchy of jobs."""

from msgspec.structs import replace

from lineagegraph.model.definition import (
    AnyWork,
    ExpansionTask,
    GroupTask,
    Pipeline,
    PipelineTask,
    SensorTask,
    Task,
)
from lineagegraph.model.names import JobName, name_job
from lineagegraph.model.states import JobKind


def name_task(task: Task, parent: JobName, pipeline: Pipeline) -> JobName:
    """Return the job of a task in `pipeline`; a nested pipeline keeps its name and namespace."""
    if isinstance(task.work, PipelineTask):
        return name_job(task.work.pipeline.namespace, task.work.pipeline.name, parent)
    return name_job(pipeline.namespace, f"{parent.fqn}.{task.name}", parent)


def kind_of(work: AnyWork) -> JobKind:
    """Return the kind of job that work makes."""
    if isinstance(work, PipelineTask):
        return JobKind.PIPELINE
    return JobKind.GROUP if isinstance(work, GroupTask | ExpansionTask) else JobKind.TASK


def tasks_in(work: AnyWork) -> tuple[Task, ...]:
    """Return the tasks that work consists of; none for what is no container."""
    if isinstance(work, PipelineTask):
        return work.pipeline.tasks
    if isinstance(work, ExpansionTask):
        return (*(replace(work.each, name=key) for key in work.keys), *work.added)
    return work.tasks if isinstance(work, GroupTask) else ()


def may_wait(pipeline: Pipeline) -> bool:
    """Say whether tasks of a pipeline may have to wait for something else than each other."""
    return pipeline.batch or _any_waits(pipeline.tasks)


def _any_waits(tasks: tuple[Task, ...]) -> bool:
    return any(
        isinstance(one.work, SensorTask)
        or one.identity is not None
        or _any_waits(tasks_in(one.work))
        for one in tasks
    )
