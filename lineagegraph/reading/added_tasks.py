"""Tasks that a running task adds after itself."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from msgspec.structs import replace

from lineagegraph.authoring.checked_values import checked_name
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, SparkSubmit, TaskFunction
from lineagegraph.authoring.origin import caller
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.authoring.tasks import task as make_task
from lineagegraph.code.by_value.pack import NotKept, pack_functions
from lineagegraph.code.signed import signed
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.expansion import Added

ADDED = ""
"""The path of the function in its bundle."""

_pickling = Lock()  # cloudpickle registers modules by value for the whole process


class _AnyName(tuple[str, ...]):
    """A tuple that contains every name."""

    def __contains__(self, name: object) -> bool:
        return True


def resolve_added_task(
    given: Any, name: str | None, parameters: Sequence[str] | None, own: ProjectScope
) -> Added:
    """Return the task for a function or handle; its arguments may be `parameters`, None allows any.

    The function is kept by value if possible. Raises `DefinitionError` for anything that is not a
    task, and for an argument without a value.
    """
    handle = _handle(given, name)
    function = handle.function if isinstance(handle, TaskFunction) else None
    if handle.takes:
        raise DefinitionError(
            f"expand(): task {handle.name} takes values of other tasks: give it values by name"
        )
    placed = handle.to_task(_AnyName() if parameters is None else parameters)
    named = checked_name(name, "task", handle.origin) if name else placed.name
    # Its predecessors in the definition are not beside it here.
    added = Added(replace(placed, name=named, after=()), function)
    return _kept(added, function, own) if function else added


def _kept(added: Added, function: Callable[..., Any], own: ProjectScope) -> Added:
    try:
        with _pickling:
            return added._replace(code=signed(pack_functions({ADDED: function}, own)))
    except NotKept as error:
        return added._replace(not_kept=error.reason)


def _handle(given: Any, name: str | None) -> TaskFunction[..., Any] | Command | SparkSubmit:
    if isinstance(given, TaskFunction | Command | SparkSubmit):
        return given
    if callable(given) and not isinstance(given, Handle):
        made: TaskFunction[..., Any] = make_task(name=name)(given)
        return made
    raise DefinitionError(
        f"{caller()}: expand({given!r}): give a function, or the result of @lg.task, "
        "lg.command or lg.spark_submit"
    )
