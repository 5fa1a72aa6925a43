"""The functions of tasks: check them, and find them by name."""

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


def checked_function(given: Any, origin: Origin, *, may_be_async: bool = True) -> Any:
    """Return the callable of a task; a function that is a task already counts as the function."""
    call = _bare(given)
    called = getattr(call, "__qualname__", None) or repr(call)
    function = function_of(call)
    if function is None:
        raise DefinitionError(f"{origin}: {called} is not a plain function: a task is Python code")
    if inspect.iscoroutinefunction(function) and not may_be_async:
        raise DefinitionError(f"{origin}: {called} is async: a sensor must be a plain `def`")
    if inspect.isasyncgenfunction(function):
        raise DefinitionError(
            f"{origin}: {called} is an async generator: a task must be a `def` or an `async def` "
            "without yield"
        )
    if inspect.isgeneratorfunction(function):
        raise DefinitionError(f"{origin}: {called} is a generator: generators cannot be tasks")
    return call


def own_name(call: Any, origin: Origin) -> str:
    """Return the name of a callable, for the task."""
    while isinstance(call, partial):
        call = call.func
    name = getattr(call, "__name__", _LAMBDA)
    if name == _LAMBDA:
        raise DefinitionError(
            f"{origin}: a callable without a name, such as a lambda, needs name=…"
        )
    return str(name)


def _bare(given: Any) -> Any:
    if isinstance(given, TaskFunction):
        return given.function
    if isinstance(given, partial) and isinstance(given.func, TaskFunction):
        return partial(given.func.function, *given.args, **given.keywords)
    return given


def resolve(module: str, qualname: str) -> Callable[..., Any]:
    """Return the function of that name; for a task, its function."""
    imported = importlib.import_module(module)
    try:
        found = attrgetter(qualname)(imported)
    except AttributeError:
        raise DefinitionError(f"{module} has no {qualname}: sync the definition again") from None
    function = found.function if isinstance(found, TaskFunction) else found
    return cast("Callable[..., Any]", function)


def is_named(function: Any) -> bool:
    """Return whether a function's module has it under its name, alone or as a task."""
    try:
        module, name = function.__module__, function.__qualname__
        return not is_typed_in(module) and resolve(module, name) is function
    except (DefinitionError, ImportError, AttributeError, TypeError, ValueError):
        return False
