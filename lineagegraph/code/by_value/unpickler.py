"""Reads functions that were pickled by value."""

import pickle
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

from lineagegraph.code.by_value.modules import StoredModules


class Unpickler(pickle.Unpickler):
    """Finds what the pickler left to its reader: modules, their globals, places of files."""

    def __init__(self, content: bytes, folder: Path) -> None:
        super().__init__(BytesIO(content))
        self._folder = folder
        self.modules = StoredModules(folder)

    def persistent_load(self, pid: Any) -> Any:
        """Return the reader's own of that kind and name."""
        kind, name = pid
        if kind == "module":
            return self.modules.get(name)
        if kind == "globals":
            return vars(self.modules.get(name))
        place = self._folder / name
        return place if kind == "path" else str(place)


def unpickle(content: bytes, folder: Path) -> tuple[dict[str, Any], list[ModuleType]]:
    """Return functions by path of task, and the modules that they are of.

    The source is unpacked in the folder.
    """
    reader = Unpickler(content, folder)
    functions: dict[str, Any] = reader.load()
    while member := reader.load():
        module, name, value = member
        setattr(reader.modules.get(module), name, value)
    return functions, reader.modules.imported()
