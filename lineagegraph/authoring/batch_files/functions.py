"""Functions that a batch file names."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

from lineagegraph.authoring.batch_files.node import JsonNode
from lineagegraph.authoring.task_functions import resolve
from lineagegraph.errors import DefinitionError


class NamedFunction(NamedTuple):
    """A function with its module and name."""

    module: str
    name: str
    function: Callable[..., Any]


def read_function(node: JsonNode) -> NamedFunction:
    """Import a function that is named as `module:name`."""
    module, _, name = node.text().partition(":")
    if not all(part.isidentifier() for part in f"{module}.{name}".split(".")):
        raise node.fault(f"{node.value!r} must be module:function, such as etl.drivers:build")
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        # If the module itself misses another one, the error belongs to that module.
        if not error.name or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise node.fault(f"the project has no module {error.name}") from None
    try:
        return NamedFunction(module, name, resolve(module, name))
    except DefinitionError:
        raise node.fault(f"module {module} has no {name}") from None
