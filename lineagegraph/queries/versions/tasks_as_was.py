"""The tasks of a pipeline, as in its definition."""

from collections.abc import Container, Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.model.pipelines.definition import (
    AnyWork,
    ExpansionTask,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.pipelines.hierarchy import tasks_in
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.triggers.condition import tag_of
from lineagegraph.store.jobs.details import RunUseRow


class DataAsWas(msgspec.Struct, frozen=True):
    """A dataset, the key of the version that was read or written, and the run that wrote that.

    Data without a known writer has no version.
    """

    namespace: str
    name: str
    version: str | None
    writer: str | None
    row_count: int | None
    size: int | None


def take_inputs(reads: Iterable[RunUseRow], inside: Container[str]) -> tuple[DataAsWas, ...]:
    """Return the reads, each version once, without data that runs `inside` wrote."""
    return _each_once(use for use in reads if use.writer not in inside)


def take_outputs(writes: Iterable[RunUseRow]) -> tuple[DataAsWas, ...]:
    """Return the writes, each version once."""
    return _each_once(writes)


def _each_once(uses: Iterable[RunUseRow]) -> tuple[DataAsWas, ...]:
    found = {(use.namespace, use.name, use.version or ""): _data(use) for use in uses}
    return tuple(found[name] for name in sorted(found))


def _data(use: RunUseRow) -> DataAsWas:
    return DataAsWas(use.namespace, use.name, use.version, use.writer, use.row_count, use.size)


NOT_RUN = "NOT_RUN"
_ELSEWHERE = frozenset({"runs", "tasks", "pipeline", "each", "keys", "values", "added"})


class TaskAsWas(msgspec.Struct, frozen=True, kw_only=True):
    """A task or an external run, with the paths of its container and of its predecessors.

    `runs` is its kind: python, command, spark_submit, group, pipeline or expansion; for external
    runs, the kind of the job. `is_added`: a task of the run added it, with own `values`.
    `is_removed`: today's active version no longer has it. A task without a run was not run.
    """

    path: str  # path of the task in its pipeline
    name: str  # last part of the path
    runs: str  # kind of the task
    parent: str | None = None  # path of the group around it
    after: tuple[str, ...] = ()  # paths of its predecessors
    state: str = NOT_RUN  # state of its run, or NOT_RUN
    run: str | None = None  # id of its run
    attempts: int | None = None  # attempts of its run
    started_at: datetime | None = None  # start of its run
    ended_at: datetime | None = None  # end of its run
    reason: str | None = None  # reason of its state
    error: str | None = None  # error of its run
    log: str | None = None  # path of its log file
    is_added: bool = False  # whether a task of the run added it
    is_removed: bool = False  # whether today's version no longer has it
    values: dict[str, Any] = {}  # values of an added task
    settings: dict[str, Any] = {}  # its options that differ from the defaults
    reads: tuple[DataAsWas, ...] = ()  # data that it read
    writes: tuple[DataAsWas, ...] = ()  # data that it wrote


def stated_tasks(pipeline: Pipeline, today: Pipeline | None) -> Iterator[TaskAsWas]:
    """Yield the tasks of a pipeline, containers first, each after its predecessors.

    `today` is the current pipeline, if it differs.
    """
    still = None if today is None else {path for path, _ in _paths(today.tasks, ())}
    return _below(pipeline.tasks, (), still, {})


def _below(
    tasks: Iterable[Task],
    above: tuple[str, ...],
    still: set[tuple[str, ...]] | None,
    given: dict[str, dict[str, Any]],
    *,
    is_added: bool = False,
) -> Iterator[TaskAsWas]:
    for task in _in_order(tasks):
        path, work = (*above, task.name), task.work
        added = is_added or isinstance(work, ExpansionTask)
        yield TaskAsWas(
            path=".".join(path),
            name=task.name,
            runs=tag_of(work),
            parent=".".join(above) or None,
            after=tuple(".".join((*above, name)) for name in task.after),
            is_added=added,
            is_removed=still is not None and not added and path not in still,
            values=given.get(task.name, {}),
            settings=_settings(task),
        )
        yield from _below(tasks_in(work), path, still, _values(work), is_added=added)


def _in_order(tasks: Iterable[Task]) -> list[Task]:
    """Return siblings in the order of definition, but none before its predecessors."""
    order: list[Task] = []
    left = {task.name: task for task in tasks}
    while left:
        free = (task for task in left.values() if left.keys().isdisjoint(task.after))
        order.append(left.pop(next(free).name))
    return order


def _values(work: AnyWork) -> dict[str, dict[str, Any]]:
    """Return the own values of each task of an expansion."""
    if not isinstance(work, ExpansionTask):
        return {}
    return dict(zip(work.keys, work.values, strict=True))


def _paths(tasks: Iterable[Task], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Task]]:
    for task in tasks:
        path = (*above, task.name)
        yield path, task
        yield from _paths(tasks_in(task.work), path)


def _settings(task: Task) -> dict[str, Any]:
    """Return the settings of a task, without its position."""
    work = {name: value for name, value in _plain(task.work).items() if name not in _ELSEWHERE}
    own: dict[str, Any] = {
        "retries": task.retries,
        "retry_delay": task.retry_delay,
        "timeout": task.timeout,
    }
    if task.when is not When.ALL_SUCCESS:
        own |= {"when": task.when.value, "teardown": task.teardown}
    if isinstance(task.work, PipelineTask):
        work["pipeline"] = task.work.pipeline.name
    return {name: value for name, value in (work | own).items() if value}


def _plain(struct: msgspec.Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(struct)
    return plain
