"""The modules that this process has loaded."""

import sys
from itertools import takewhile
from types import ModuleType

_last_shared = ""


def share_loaded() -> None:
    """Take the modules loaded until now for none of a project's.

    A process calls it before it forks: a fork that looks at them copies their memory.
    """
    global _last_shared
    _last_shared = next(reversed(sys.modules))


def loaded_modules() -> list[ModuleType]:
    """Return the modules loaded since `share_loaded`, or all, in the order of loading."""
    # One call of C, which no thread that imports can interrupt.
    names = list(takewhile(_last_shared.__ne__, reversed(sys.modules)))
    found = (sys.modules.get(name) for name in reversed(names))
    return [module for module in found if isinstance(module, ModuleType)]
