"""Pack the functions of a pipeline's tasks into one pickle."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import cloudpickle

from lineagegraph.authoring.functions import held_by
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import NestedPipeline, TaskFunction, TaskGroup
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.authoring.sensor_handle import SensorHandle
from lineagegraph.authoring.task_functions import is_named
from lineagegraph.code.by_value.pickler import Bounded, HoldsSecret, Pickler, TooLarge
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.task_code import TaskCode, task_code

Callables = Mapping[str, Callable[..., Any]]


class NotKept(Exception):
    """A function that can neither be pickled nor found by name; `reason` is one line."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class _MemberNotPickled(Exception):
    def __init__(self, key: tuple[str, str]) -> None:
        super().__init__(*key)
        self.key = key


def pack_functions(functions: Callables, own: ProjectScope) -> TaskCode:
    """Pickle functions by path of task, unsigned, with the reasons for those that it cannot.

    They are pickled together, so that they keep sharing objects. Raises `NotKept` for a function
    that cannot be pickled and that no module has under its name.
    """
    unnamed = [path for path, function in functions.items() if not is_named(function)]
    with _by_value(own):
        content, reasons = _pickle_those_that_can_be(functions, own)
    for path in unnamed:
        if path in reasons:
            raise NotKept(path, reasons[path])
    left_out = [f"{path}: {reason}" for path, reason in reasons.items()]
    return task_code(content, left_out, unnamed)


def _pickle_those_that_can_be(
    functions: Callables, own: ProjectScope
) -> tuple[bytes, dict[str, str]]:
    try:
        return _pickle(functions, own), {}
    except Exception as error:
        together = _describe(error)
    alone = {path: _fault(function, own) for path, function in functions.items()}
    reasons = {path: fault for path, fault in alone.items() if fault}
    if not reasons:
        return _pickle({}, own), dict.fromkeys(functions, f"with the other tasks, it {together}")
    sound = {path: function for path, function in functions.items() if path not in reasons}
    content, more = _pickle_those_that_can_be(sound, own)
    return content, reasons | more


def _pickle(functions: Callables, own: ProjectScope) -> bytes:
    """Pickle functions, and the members of modules that they need, as far as possible."""
    without: set[tuple[str, str]] = set()
    while True:
        try:
            return _pickle_all(functions, own, without)
        except _MemberNotPickled as error:
            without.add(error.key)


def _pickle_all(functions: Callables, own: ProjectScope, without: set[tuple[str, str]]) -> bytes:
    file = Bounded()
    pickler = Pickler(file, own)
    pickler.dump(dict(functions))
    written = set(without)
    while wanted := next((key for key in pickler.wanted if key not in written), None):
        written.add(wanted)
        try:
            pickler.dump((*wanted, pickler.wanted[wanted]))
        except Exception as error:
            raise _MemberNotPickled(wanted) from error
    pickler.dump(None)
    return file.getvalue()


def _fault(function: Callable[..., Any], own: ProjectScope) -> str | None:
    """Return the reason that a function cannot be pickled, with the value at fault."""
    try:
        _pickle({"": function}, own)
    except Exception as error:
        return f"{_culprit(function, own)}{_describe(error)}"
    return None


def _culprit(function: Callable[..., Any], own: ProjectScope) -> str:
    for name, value in held_by(function):
        try:
            Pickler(Bounded(), own).dump(value)
        except Exception:
            return f"{name} "
    return "it "


def _describe(error: Exception) -> str:
    if isinstance(error, TooLarge | HoldsSecret):
        return str(error)
    message = " ".join(str(error).split())
    return f"cannot be pickled: {type(error).__name__}: {message}"[:500]


@contextmanager
def _by_value(own: ProjectScope) -> Iterator[None]:
    """Let cloudpickle pickle the project's modules by value."""
    known = cloudpickle.list_registry_pickle_by_value()
    added = [one for one in own.modules() if one.__name__ not in {*known, "__main__"}]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            with suppress(ValueError):  # pickling may import or drop modules
                cloudpickle.unregister_pickle_by_value(module)


class KeptFunction(NamedTuple):
    """A task with its function."""

    task: Handle
    function: Callable[..., Any]


def keep_functions(pipeline: PipelineHandle, own: ProjectScope) -> TaskCode | None:
    """Return the functions of a pipeline's tasks by value, unsigned; None if it has none.

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
            "under its name: create the object inside the function, or define the function with "
            "`def` at the top level of a module"
        ) from error


def functions_of(pipeline: PipelineHandle) -> dict[str, Callable[..., Any]]:
    """Return the functions of a pipeline's tasks in this process, by path."""
    return {path: one.function for path, one in _tasks(pipeline.tasks)}


def _tasks(handles: Iterable[Handle], above: str = "") -> Iterator[tuple[str, KeptFunction]]:
    for handle in handles:
        path = f"{above}{handle.name}"
        match handle:
            case TaskFunction(function=function):
                yield path, KeptFunction(handle, function)
            case SensorHandle(function=function) if function is not None:
                yield path, KeptFunction(handle, function)
            case TaskGroup() | PipelineHandle():
                yield from _tasks(handle.tasks, f"{path}.")
            case NestedPipeline(of=PipelineHandle(tasks=tasks)):
                yield from _tasks(tasks, f"{path}.")
