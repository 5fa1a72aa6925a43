"""Positions of a pipeline's tasks in the hierarchy of jobs."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from lineagegraph.model.names.keys import JobName, name_job
from lineagegraph.model.pipelines.definition import (
    AnyWork,
    ExpansionTask,
    GroupTask,
    Pipeline,
    PipelineTask,
    SensorTask,
    Task,
)
from lineagegraph.model.runs.states import JobKind


def name_task(task: Task, parent: JobName, pipeline: Pipeline) -> JobName:
    """Return the job of a task in `pipeline`; a nested pipeline keeps its name and namespace."""
    if isinstance(task.work, PipelineTask):
        return name_job(task.work.pipeline.namespace, task.work.pipeline.name, parent)
    return name_job(pipeline.namespace, f"{parent.fqn}.{task.name}", parent)


def kind_of(work: AnyWork) -> JobKind:
    """Return the kind of job for a kind of work."""
    if isinstance(work, PipelineTask):
        return JobKind.PIPELINE
    return JobKind.GROUP if isinstance(work, GroupTask | ExpansionTask) else JobKind.TASK


def tasks_in(work: AnyWork) -> tuple[Task, ...]:
    """Return the tasks of a container; empty for other work."""
    if isinstance(work, PipelineTask):
        return work.pipeline.tasks
    if isinstance(work, ExpansionTask):
        return (*(replace(work.each, name=key) for key in work.keys), *work.added)
    return work.tasks if isinstance(work, GroupTask) else ()


def may_wait(pipeline: Pipeline) -> bool:
    """Return whether tasks of a pipeline may wait for anything but each other."""
    return pipeline.batch or _any_waits(pipeline.tasks)


def _any_waits(tasks: tuple[Task, ...]) -> bool:
    return any(
        isinstance(one.work, SensorTask)
        or one.identity is not None
        or one.pool is not None
        or _any_waits(tasks_in(one.work))
        for one in tasks
    )


def with_followers(pipeline: Pipeline, paths: Collection[str]) -> tuple[str, ...]:
    """Return tasks and all their followers, in any group around them, as the fewest paths."""
    return tuple(_follow(pipeline.tasks, "", frozenset(paths)))


def leaves(pipeline: Pipeline) -> tuple[str, ...]:
    """Return the paths of the tasks that are not containers."""
    return tuple(_leaves(pipeline.tasks, ""))


def is_in_any(path: str, above: Iterable[str]) -> bool:
    """Return whether a task is at one of some paths, or in a group or pipeline there."""
    return any(path == one or path.startswith(f"{one}.") for one in above)


def _follow(tasks: Sequence[Task], above: str, wanted: frozenset[str]) -> Iterator[str]:
    """Yield paths below a container; a partly wanted container holds back its followers."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        path = above + task.name
        inside = _follow(tasks_in(task.work), f"{path}.", wanted)
        found[task.name] = [path] if path in wanted else list(inside)
    reached = {name for name, parts in found.items() if parts}
    while more := {t.name for t in tasks if t.name not in reached and reached & set(t.after)}:
        reached |= more
    begun = {t.name for t in tasks if reached & set(t.after)}
    for task in tasks:
        if task.name in begun:
            yield above + task.name
        else:
            yield from found[task.name]


def _leaves(tasks: Sequence[Task], above: str) -> Iterator[str]:
    for task in tasks:
        path = above + task.name
        inside = tasks_in(task.work)
        yield from _leaves(inside, f"{path}.") if inside else (path,)
