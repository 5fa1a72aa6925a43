"""A task as one that a running task puts behind itself."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from msgspec.structs import replace

from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.kinds import Command, SparkSubmit, TaskFunction
from lineagegraph.authoring.names import checked_name
from lineagegraph.authoring.origin import caller
from lineagegraph.authoring.project_scope import Own
from lineagegraph.authoring.tasks import task as make_task
from lineagegraph.code.by_value.pack import NotKept, pack_functions
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.expansion import Added

ADDED = ""
"""The path of the function in its bundle."""

_pickling = Lock()  # what goes by value is known to the whole process


class _Whatever(tuple[str, ...]):
    """All names that there may be."""

    def __contains__(self, name: object) -> bool:
        return True


def place_added(what: Any, name: str | None, parameters: Sequence[str] | None, own: Own) -> Added:
    """Return what a task or function does where its arguments may be these; None: any.

    The function is kept by value, as far as it can be. Raises `DefinitionError` for what is no
    task, and for an argument that nothing gives.
    """
    handle = _handle(what, name)
    function = handle.function if isinstance(handle, TaskFunction) else None
    placed = handle.place(_Whatever() if parameters is None else parameters)
    named = checked_name(name, "task", handle.origin) if name else placed.name
    # What it is after in the definition is not beside it here.
    added = Added(replace(placed, name=named, after=()), function)
    return _kept(added, function, own) if function else added


def _kept(added: Added, function: Callable[..., Any], own: Own) -> Added:
    try:
        with _pickling:
            return added._replace(code=pack_functions({ADDED: function}, own))
    except NotKept as error:
        return added._replace(not_kept=error.reason)


def _handle(what: Any, name: str | None) -> TaskFunction[..., Any] | Command | SparkSubmit:
    if isinstance(what, TaskFunction | Command | SparkSubmit):
        return what
    if callable(what) and not isinstance(what, Handle):
        made: TaskFunction[..., Any] = make_task(name=name)(what)
        return made
    raise DefinitionError(
        f"{caller()}: expand({what!r}): give a function, or what @lg.task, lg.command or "
        "lg.spark_submit returned"
    )
