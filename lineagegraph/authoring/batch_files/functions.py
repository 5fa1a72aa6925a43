"""Functions that a batch file names."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

from lineagegraph.authoring.batch_files.node import Node
from lineagegraph.authoring.named_function import resolve
from lineagegraph.errors import DefinitionError


class Named(NamedTuple):
    """A function, and where it is."""

    module: str
    name: str
    function: Callable[..., Any]


def read_function(node: Node) -> Named:
    """Import a function that is named as `module:name`."""
    module, _, name = node.text().partition(":")
    if not all(part.isidentifier() for part in f"{module}.{name}".split(".")):
        raise node.fault(f"{node.value!r} must be module:function, such as etl.drivers:build")
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        # One that the module itself does not find is a fault of that module's.
        if not error.name or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise node.fault(f"there is no module {error.name} in the project") from None
    try:
        return Named(module, name, resolve(module, name))
    except DefinitionError:
        raise node.fault(f"module {module} has no {name}") from None
