"""Which module something belongs to, whichever way Python was started with it."""

import sys
from pathlib import Path
from typing import Any

from lineagegraph.authoring.project import module_name
from lineagegraph.errors import DefinitionError

MAIN = "__main__"


def module_of(named: Any, root: Path) -> str:
    """Return the module of a function or class; a script's is the one that importing it makes.

    What a person typed into a notebook or a prompt is of `__main__`.
    """
    module: str = getattr(named, "__module__", None) or "builtins"
    if module != MAIN or is_typed_in(module):
        return module
    try:
        return module_name(Path(sys.modules[MAIN].__file__ or "").resolve(), root)
    except DefinitionError:
        return MAIN


def is_typed_in(module: str) -> bool:
    """Say whether no file has a module: it is a notebook's or a prompt's."""
    return module == MAIN and getattr(sys.modules.get(MAIN), "__file__", None) is None
