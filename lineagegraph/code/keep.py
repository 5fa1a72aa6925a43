"""The functions of a pipeline's tasks, to be kept with its version."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Group, NestedPipeline, TaskFunction
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.authoring.project_scope import Own
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.code.by_value.pack import NotKept, pack_functions
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.task_code import TaskCode


class Kept(NamedTuple):
    """A task, and its function."""

    task: Handle
    function: Callable[..., Any]


def keep_functions(pipeline: PipelineHandle, own: Own) -> TaskCode | None:
    """Return the functions of a pipeline's tasks by value; None if no task is a function.

    Raises `DefinitionError` for a function that can be kept neither by value nor by name.
    """
    tasks = dict(_tasks(pipeline.tasks))
    if not tasks:
        return None
    try:
        return pack_functions(functions_of(pipeline), own)
    except NotKept as error:
        task = tasks[error.path].task
        raise DefinitionError(
            f"{task.origin}: task {task.name}: {error.reason}; and no module has the function "
            "under its name: make what it needs inside it, or define it with `def` at the top "
            "level of a module"
        ) from error


def functions_of(pipeline: PipelineHandle) -> dict[str, Callable[..., Any]]:
    """Return the functions of a pipeline's tasks as they are here, by path."""
    return {path: one.function for path, one in _tasks(pipeline.tasks)}


def _tasks(handles: Iterable[Handle], above: str = "") -> Iterator[tuple[str, Kept]]:
    for handle in handles:
        path = f"{above}{handle.name}"
        match handle:
            case TaskFunction(function=function):
                yield path, Kept(handle, function)
            case SensorHandle(function=function) if function is not None:
                yield path, Kept(handle, function)
            case Group() | PipelineHandle():
                yield from _tasks(handle.tasks, f"{path}.")
            case NestedPipeline(of=PipelineHandle(tasks=tasks)):
                yield from _tasks(tasks, f"{path}.")
