"""Tasks that a run added to its pipeline while running."""

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
    """A task to add, with its function if it is Python.

    `code` is the function by value; `not_kept` is the reason why there is none.
    """

    task: Task
    function: Callable[..., Any] | None = None
    code: TaskCode | None = None
    not_kept: str | None = None


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    """A group of added tasks, with the path of the task that they follow."""

    behind: tuple[str, ...]
    task: Task

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names from below the pipeline down to the group."""
        return (*self.behind[:-1], self.task.name)

    @property
    def path(self) -> str:
        """Return the names joined by dots."""
        return ".".join(self.names)

    @property
    def work(self) -> ExpansionTask:
        """Return the tasks in it."""
        assert isinstance(self.task.work, ExpansionTask)
        return self.task.work


def expanded(pipeline: Pipeline, expansions: Iterable[Expansion]) -> Pipeline:
    """Return a pipeline as a run had it: expansions beside their tasks, before the followers."""
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
    """Return a task that waits for the expansion of each task it waits for."""
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
