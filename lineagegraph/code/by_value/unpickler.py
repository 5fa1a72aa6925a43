"""Load functions that were pickled by value, with the modules that they refer to."""

import pickle
import symtable
import sys
from functools import cache
from importlib.util import spec_from_file_location
from io import BytesIO
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any
from weakref import WeakSet

from lineagegraph.authoring.declared import ignoring
from lineagegraph.project.root import module_file

_ANY = ("import *", "def __getattr__", "globals()", "exec(")


def binds(file: Path, name: str) -> bool:
    """Return whether running a file may give its module a name."""
    found = _bound(file) if file.is_file() else frozenset()
    return found is None or name in found


@cache
def _bound(file: Path) -> frozenset[str] | None:
    """Return the names that a file assigns, defines or imports; None if they are unknown."""
    content = file.read_bytes()
    text = content.decode(errors="replace")
    if any(sign in text for sign in _ANY):
        return None
    symbols = symtable.symtable(content, str(file), "exec").get_symbols()  # type: ignore[arg-type]
    return frozenset(one.get_name() for one in symbols if one.is_assigned() or one.is_imported())


_lock = RLock()
# Not by their ids, which other modules get after them.
_complete = WeakSet[ModuleType]()


class StoredModule(ModuleType):
    """A module with the pickled members only, until a missing name runs its file.

    Pickled members stay. The file does not run as long as functions need only pickled members, or
    if code asks every module for a name to find the module of an object.
    """

    def __getattr__(self, name: str) -> Any:
        asked_for = not name.startswith("__") and binds(Path(self.__file__ or ""), name)
        if not asked_for or not _run_file(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self, name)

    def __reduce__(self) -> Any:
        """Pickle by value: a reader such as a Spark worker does not have the project."""
        state = {name: one for name, one in vars(self).items() if not name.startswith("__")}
        return ModuleType, (self.__name__,), state


class StoredModules:
    """The modules of one unpacked source, each once; `import` finds them too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: dict[str, ModuleType] = {}

    def get(self, name: str) -> ModuleType:
        """Return a module, empty at first."""
        if name not in self._found:
            self._found[name] = self._known(name) or self._new(name)
        return self._found[name]

    def imported(self) -> list[ModuleType]:
        """Return those that `import` finds."""
        return [one for name, one in self._found.items() if sys.modules.get(name) is one]

    def _known(self, name: str) -> ModuleType | None:
        """Return the module that another bundle of the same folder was loaded into."""
        present = sys.modules.get(name)
        file = getattr(present, "__file__", None)
        return present if file and Path(file).is_relative_to(self._folder) else None

    def _new(self, name: str) -> ModuleType:
        module = StoredModule(name)
        _place(module, self._folder)
        present = sys.modules.get(name)
        if present is None or isinstance(present, StoredModule):
            sys.modules[name] = module
        above, _, last = name.rpartition(".")
        if above:
            setattr(self.get(above), last, module)
        return module


def _place(module: ModuleType, folder: Path) -> None:
    """Set the attributes that an import sets."""
    name = module.__name__
    below = folder.joinpath(*name.split("."))
    file = module_file(name, folder) or below.with_name(f"{below.name}.py")
    is_package = file.name == "__init__.py" or below.is_dir()
    places = [str(below)] if is_package else None
    spec = spec_from_file_location(name, file, submodule_search_locations=places)
    module.__spec__ = spec
    module.__loader__ = spec.loader if spec else None
    module.__file__ = str(file)
    module.__package__ = name if is_package else name.rpartition(".")[0]
    module.__dict__["__builtins__"] = __builtins__
    if places:
        module.__path__ = places


def _run_file(module: ModuleType) -> bool:
    """Run a module's file unless that was done, and return whether it ran; members stay."""
    with _lock:
        file = Path(module.__file__ or "")
        if module in _complete:
            return False
        _complete.add(module)
        stored = dict(vars(module))
        try:
            with ignoring():
                exec(compile(file.read_bytes(), str(file), "exec", dont_inherit=True), vars(module))
        except BaseException:
            _complete.discard(module)
            raise
        finally:
            vars(module).update(stored)
        return True


class Unpickler(pickle.Unpickler):
    """Resolve the pickler's references: modules, their globals, and paths of files."""

    def __init__(self, content: bytes, folder: Path) -> None:
        super().__init__(BytesIO(content))
        self._folder = folder
        self.modules = StoredModules(folder)

    def persistent_load(self, pid: Any) -> Any:
        """Return the object of a reference in this process."""
        kind, name = pid
        if kind == "module":
            return self.modules.get(name)
        if kind == "globals":
            return vars(self.modules.get(name))
        place = self._folder / name
        return place if kind == "path" else str(place)


def unpickle(content: bytes, folder: Path) -> tuple[dict[str, Any], list[ModuleType]]:
    """Return functions by path of task, and their modules.

    The source is unpacked in the folder.
    """
    reader = Unpickler(content, folder)
    functions: dict[str, Any] = reader.load()
    while member := reader.load():
        module, name, value = member
        setattr(reader.modules.get(module), name, value)
    return functions, reader.modules.imported()
