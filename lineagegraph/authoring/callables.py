"""What a task may be made of: functions, lambdas, partials, methods, objects that are called."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from inspect import getattr_static
from types import FunctionType, MethodType
from typing import Any


def function_of(call: Any) -> FunctionType | None:
    """Return the `def` or `lambda` that a callable comes down to."""
    while isinstance(call, partial | MethodType):
        call = call.func if isinstance(call, partial) else call.__func__
    if isinstance(call, type):
        return None
    if not isinstance(call, FunctionType):
        call = getattr_static(type(call), "__call__", None)
    return call if isinstance(call, FunctionType) else None


def held_by(call: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a callable needs besides its code, each with a name for people."""
    if isinstance(call, partial):
        bound = {**{str(n): one for n, one in enumerate(call.args, 1)}, **call.keywords}
        yield from ((f"argument {name} of the partial", one) for name, one in bound.items())
        call = call.func
    if isinstance(call, MethodType):
        yield "the object of the method", call.__self__
    elif not isinstance(call, FunctionType):
        yield "the object that is called", call
    if function := function_of(call):
        yield from ((f"default of {name}", one) for name, one in defaults(function).items())
        yield from ((f"{name} of its closure", one) for name, one in closure(function).items())
        known = function.__globals__
        names = (name for name in function.__code__.co_names if name in known)
        yield from ((f"global {name}", known[name]) for name in names)


def closure(function: FunctionType) -> dict[str, Any]:
    """Return the variables that a function has from around it, as far as they have values."""
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):
            found[name] = cell.cell_contents
    return found


def defaults(function: FunctionType) -> dict[str, Any]:
    """Return the default values of a function's arguments."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    by_position = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return by_position | (function.__kwdefaults__ or {})
