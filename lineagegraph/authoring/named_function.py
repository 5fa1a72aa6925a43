"""Functions by the name of their module and their own."""

import importlib
from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

from lineagegraph.authoring.kinds import TaskFunction
from lineagegraph.authoring.module_of import is_typed_in
from lineagegraph.errors import DefinitionError


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
