"""What ran, as which version, on which data, and what runs next.

A definition file needs `import lineagegraph as lg` and `from lineagegraph import on`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import lazy_loader

# `__init__.pyi` lists the public names; each is imported when it is asked for, as a definition file
# needs neither Spark nor Neo4j.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # The import of a room must not hide a public name that is the same: `lg.freshness`.
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # Python and cloudpickle know how to keep modules, but not those of another class.
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Package
