"""Which arguments a task's function takes."""

import inspect
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from inspect import Parameter as Argument
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

SPARK = "spark"


def arguments_of(
    function: Callable[..., Any], task: str, parameters: Collection[str], origin: Origin
) -> tuple[str, ...]:
    """Return what the function is called with: `spark` and parameters of the pipeline.

    An argument with a default may be something else, and then keeps its default. A function that
    takes `**kwargs` gets all parameters. What a partial has bound is not asked for.
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
    """Raise `DefinitionError` where a text has the name of no parameter in braces."""
    for text in texts:
        for name in re.findall(r"\{(\w+)\}", text):
            if name not in parameters:
                has = ", ".join(parameters) or "none"
                raise DefinitionError(
                    f"{origin}: task {task}: {{{name}}} names no parameter of its pipeline, "
                    f"which has {has}"
                )
