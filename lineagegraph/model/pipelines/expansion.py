"""Tasks that a run added to its pipeline while it went on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from lineagegraph.model.pipelines.definition import (
    ExpansionTask,
    GroupTask,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.pipelines.task_code import TaskCode


class Added(NamedTuple):
    """A task that is to be added, with its function if it is Python.

    `code` is the function by value; where it cannot be kept so, `not_kept` says why.
    """

    task: Task
    function: Callable[..., Any] | None = None
    code: TaskCode | None = None
    not_kept: str | None = None


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """A group of tasks, and the names from below the pipeline down to the task it is behind."""

    behind: tuple[str, ...]
    task: Task

    @property
    def names(self) -> tuple[str, ...]:
        """The names from below the pipeline down to the group."""
        return (*self.behind[:-1], self.task.name)

    @property
    def path(self) -> str:
        """The names joined by dots."""
        return ".".join(self.names)

    @property
    def work(self) -> ExpansionTask:
        """The tasks in it."""
        assert isinstance(self.task.work, ExpansionTask)
        return self.task.work


def expanded(pipeline: Pipeline, expansions: Iterable[Expansion]) -> Pipeline:
    """Return a pipeline as a run had it: expansions beside their tasks, before what follows."""
    # What an added task adds has its place in the expansion that the task is of.
    for one in sorted(expansions, key=lambda one: len(one.behind)):
        tasks = _insert(pipeline.tasks, one.behind, one.task)
        pipeline = replace(pipeline, tasks=tasks)
    return pipeline


def _insert(tasks: tuple[Task, ...], behind: tuple[str, ...], added: Task) -> tuple[Task, ...]:
    first, *rest = behind
    if rest:
        return tuple(
            replace(task, work=_into(task, tuple(rest), added)) if task.name == first else task
            for task in tasks
        )
    return (*(_later(task, first, added.name) for task in tasks), added)


def _later(task: Task, caller: str, added: str) -> Task:
    """Let what waits for a task wait for its expansion too."""
    if caller not in task.after or isinstance(task.work, ExpansionTask):
        return task
    return replace(task, after=(*task.after, added))


def _into(
    task: Task, behind: tuple[str, ...], added: Task
) -> GroupTask | PipelineTask | ExpansionTask:
    match task.work:
        case GroupTask() as work:
            return replace(work, tasks=_insert(work.tasks, behind, added))
        case PipelineTask() as work:
            tasks = _insert(work.pipeline.tasks, behind, added)
            return replace(work, pipeline=replace(work.pipeline, tasks=tasks))
        case ExpansionTask() as work:
            return replace(work, added=_insert(work.added, behind, added))
        case other:
            raise ValueError(f"task {task.name} has no tasks in it: {other!r}")
