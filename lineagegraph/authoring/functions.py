"""The callables that a task may consist of: their function, module, arguments and values."""

import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from inspect import Parameter as Argument
from inspect import getattr_static
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.project.root import module_name


def function_of(call: Any) -> FunctionType | None:
    """Return the `def` or `lambda` behind a callable, None if there is none."""
    while isinstance(call, partial | MethodType):
        call = call.func if isinstance(call, partial) else call.__func__
    if isinstance(call, type):
        return None
    if not isinstance(call, FunctionType):
        call = getattr_static(type(call), "__call__", None)
    return call if isinstance(call, FunctionType) else None


def held_by(call: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values that a callable needs besides its code, each with a name for messages."""
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
    """Return the closure variables of a function that have values."""
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


MAIN = "__main__"


def module_of(named: Any, root: Path) -> str:
    """Return the module of a function or class; for a script, the name of its import.

    Code typed into a notebook or a prompt belongs to `__main__`.
    """
    module: str = getattr(named, "__module__", None) or "builtins"
    if module != MAIN or is_typed_in(module):
        return module
    try:
        return module_name(Path(sys.modules[MAIN].__file__ or "").resolve(), root)
    except DefinitionError:
        return MAIN


def is_typed_in(module: str) -> bool:
    """Return whether a module has no file: it belongs to a notebook or a prompt."""
    return module == MAIN and getattr(sys.modules.get(MAIN), "__file__", None) is None


SPARK = "spark"


def arguments_of(
    function: Callable[..., Any], task: str, parameters: Collection[str], origin: Origin
) -> tuple[str, ...]:
    """Return the arguments of the function's call: `spark` and parameters of the pipeline.

    An argument with a default may have another name, and then keeps its default. A function that
    takes `**kwargs` gets all parameters. Arguments that a partial binds are left out.
    """
    bound = function.keywords if isinstance(function, partial) else {}
    names: list[str] = []
    for name, argument in inspect.signature(function).parameters.items():
        if argument.kind is Argument.VAR_POSITIONAL or name in bound:
            continue
        if argument.kind is Argument.VAR_KEYWORD:
            known = {*names, *bound}
            names += [parameter for parameter in parameters if parameter not in known]
        elif _is_given(argument, task, parameters, origin):
            names.append(name)
    return tuple(names)


def _is_given(argument: Argument, task: str, parameters: Collection[str], origin: Origin) -> bool:
    known = argument.name == SPARK or argument.name in parameters
    if known and argument.kind is not Argument.POSITIONAL_ONLY:
        return True
    if argument.default is not Argument.empty:
        return False
    has = ", ".join(parameters) or "none"
    raise DefinitionError(
        f"{origin}: task {task}: argument {argument.name!r} is neither 'spark' nor a parameter "
        f"of its pipeline (which has {has}) that can be given by name"
    )


def check_placeholders(
    texts: Iterable[str], task: str, parameters: Collection[str], origin: Origin
) -> None:
    """Raise `DefinitionError` if a text has a name in braces that is not a parameter."""
    for text in texts:
        for name in re.findall(r"\{(\w+)\}", text):
            if name not in parameters:
                has = ", ".join(parameters) or "none"
                raise DefinitionError(
                    f"{origin}: task {task}: {{{name}}} is not a parameter of its pipeline, "
                    f"which has {has}"
                )
