"""What was given as a task's function."""

import inspect
from functools import partial
from typing import Any

from lineagegraph.authoring.callables import function_of
from lineagegraph.authoring.kinds import TaskFunction
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

_LAMBDA = "<lambda>"


def checked_function(given: Any, origin: Origin) -> Any:
    """Return what is to be called; a task that was made of it before is only that again."""
    call = _bare(given)
    what = getattr(call, "__qualname__", None) or repr(call)
    function = function_of(call)
    if function is None:
        raise DefinitionError(f"{origin}: {what} is no plain function: a task is Python code")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise DefinitionError(f"{origin}: {what} is async: a task is a plain `def`")
    if inspect.isgeneratorfunction(function):
        raise DefinitionError(f"{origin}: {what} is a generator, which a call would not run")
    return call


def own_name(call: Any, origin: Origin) -> str:
    """Return the name of what is called, for the task."""
    while isinstance(call, partial):
        call = call.func
    name = getattr(call, "__name__", _LAMBDA)
    if name == _LAMBDA:
        raise DefinitionError(f"{origin}: what has no name of its own needs name=…")
    return str(name)


def _bare(given: Any) -> Any:
    if isinstance(given, TaskFunction):
        return given.function
    if isinstance(given, partial) and isinstance(given.func, TaskFunction):
        return partial(given.func.function, *given.args, **given.keywords)
    return given
