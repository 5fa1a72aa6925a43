"""Types of the arguments of a callable."""

import inspect
from collections.abc import Callable
from functools import partial
from types import NoneType, SimpleNamespace
from typing import Any, get_args, get_type_hints


def annotated_function(call: Callable[..., Any]) -> Any:
    """Return the function of a callable that has its annotations."""
    while isinstance(call, partial):
        call = call.func
    if not inspect.isroutine(call):
        call = type(call).__call__
    return inspect.unwrap(getattr(call, "__func__", call))


def argument_type(call: Callable[..., Any], name: str) -> Any:
    """Return the type of an argument, `Any` without one.

    Raises `NameError` and the like if its text names nothing.
    """
    function = annotated_function(call)
    stated = getattr(function, "__annotations__", {}).get(name, Any)
    if not isinstance(stated, str):
        return stated
    one = SimpleNamespace(__annotations__={name: stated})
    return get_type_hints(one, globalns=getattr(function, "__globals__", {}), include_extras=True)[
        name
    ]


def accepts_none(type_: Any) -> bool:
    """Return whether a type is stated to include None."""
    return type_ is None or NoneType in get_args(type_)
