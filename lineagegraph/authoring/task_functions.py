"""What was given as a task's function."""

import importlib
import inspect
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, cast

from lineagegraph.authoring.functions import function_of, is_typed_in
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


def resolve(module: str, qualname: str) -> Callable[..., Any]:
    """Return the function of that name, without the task that it was made."""
    imported = importlib.import_module(module)
    try:
        found = attrgetter(qualname)(imported)
    except AttributeError:
        raise DefinitionError(f"{module} has no {qualname}: sync it again") from None
    function = found.function if isinstance(found, TaskFunction) else found
    return cast("Callable[..., Any]", function)


def is_named(function: Any) -> bool:
    """Say whether importing a function's module gives it under its name, be it as a task."""
    try:
        module, name = function.__module__, function.__qualname__
        return not is_typed_in(module) and resolve(module, name) is function
    except (DefinitionError, ImportError, AttributeError, TypeError, ValueError):
        return False
