"""Pickles functions of a project by value, with what they refer to.

This rests on private parts of cloudpickle 3.1, hence the bound in pyproject.toml: what its
`reducer_override` returns for a function (`reduced[2][1]`, the slots, has `__globals__`) and for a
class (`reduced[1]` has its metaclass, name, bases and the random name by which it knows the class,
`reduced[2]` its members and slots), `globals_ref`, and the entry of `dispatch_table` for code.
3.0.0 and 3.1.0 to 3.1.2 have them alike. A stored pickle names private functions of cloudpickle
too: try a later version with the tests of this package, and with pickles that an earlier one wrote.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from pathlib import PurePath
from types import CodeType, FunctionType, ModuleType
from typing import Any

import cloudpickle
import msgspec

from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.authoring.task_functions import is_named, resolve
from lineagegraph.code.by_value.struct_classes import reduce_struct
from lineagegraph.secrets import mask_text, names_secret

MOST_BYTES = 8 * 1024 * 1024
_MADE_BY_IMPORT = frozenset(
    {
        "__name__",
        "__file__",
        "__package__",
        "__path__",
        "__spec__",
        "__loader__",
        "__cached__",
        "__builtins__",
    }
)
_TRACKER = re.compile("[0-9a-f]{32}")
_CODE = cloudpickle.Pickler.dispatch_table[CodeType]


class TooLarge(Exception):
    """The pickle has more bytes than are kept."""


class HoldsSecret(Exception):
    """The pickle would have a secret, for all to see who read the graph."""

    def __init__(self, what: str) -> None:
        super().__init__(f"holds {what}, which is a secret that the graph would keep")


class Bounded(BytesIO):
    """A buffer of at most `MOST_BYTES`."""

    def write(self, data: Any) -> int:
        """Append bytes, or raise `TooLarge`."""
        if self.tell() + len(data) > MOST_BYTES:
            raise TooLarge(f"has more than {MOST_BYTES:,} bytes")
        return super().write(data)


class _Globals(dict[str, Any]):
    """Stands for the globals of a module of the project."""

    def __init__(self, module: str) -> None:
        super().__init__(__name__=module)
        self.module = module


class _File:
    """Stands for the name of a file of the project."""

    def __init__(self, path: str) -> None:
        self.path = path


class Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
    """Writes modules and places of the project by name, for the reader to find its own.

    `wanted` collects which globals of the project's modules must be found there by name.
    """

    def __init__(self, file: BytesIO, own: ProjectScope) -> None:
        super().__init__(file, protocol=5)
        self._own = own
        self._literals: set[int] = set()
        self.wanted: dict[tuple[str, str], Any] = {}

    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        """Return kind and name of an object that the reader has itself.

        Raises `HoldsSecret` for secrets other than literals, which the archived files have too.
        """
        if isinstance(obj, ModuleType):
            return ("module", obj.__name__) if self._own.has(obj) else None
        if type(obj) is _Globals:
            return "globals", obj.module
        if type(obj) is _File:
            return "file", obj.path
        if isinstance(obj, dict):
            _check_members(obj)
        if type(obj) is str and id(obj) not in self._literals and mask_text(obj) != obj:
            raise HoldsSecret("a text with a password, token or key")
        if isinstance(obj, PurePath) or (type(obj) is str and id(obj) not in self._literals):
            return self._place(obj)
        return None

    def reducer_override(self, obj: Any) -> Any:
        """Return the reduction of an object."""
        if isinstance(obj, CodeType):
            return self._code(obj)
        if isinstance(obj, FunctionType):
            return self._function(obj)
        if isinstance(obj, cached_property):
            # That of Python 3.11 has a lock, which cannot be pickled.
            return type(obj), (obj.func,), {"attrname": obj.attrname, "__doc__": obj.__doc__}
        if isinstance(obj, PurePath):
            # Python 3.13 reduces it to what it was joined of, of which a part may be a place.
            return type(obj), (str(obj),)
        reduced = super().reducer_override(obj)
        if isinstance(obj, type) and isinstance(reduced, tuple):
            self._want_itself(obj)
            return _reduced_class(obj, reduced)
        return reduced

    def _place(self, obj: PurePath | str) -> tuple[str, str] | None:
        path = self._own.kept(str(obj)) if str(obj).startswith(str(self._own.root)) else None
        if path is None:
            return None
        return ("path" if isinstance(obj, PurePath) else "file"), path

    def _code(self, code: CodeType) -> Any:
        self._literals.update(_texts(code.co_consts))
        make, arguments = _CODE(code)
        path = self._own.source(code)
        if path is None:
            return make, arguments
        return make, tuple(_File(path) if one == code.co_filename else one for one in arguments)

    def _function(self, function: FunctionType) -> Any:
        module = _module_of(function)
        if module is None or not self._own.has(module):
            return self._foreign(function)
        self.globals_ref.setdefault(id(function.__globals__), _Globals(module.__name__))
        reduced = super().reducer_override(function)
        if isinstance(reduced, tuple):
            self._want_itself(function)
            slots = reduced[2][1]
            slots["__globals__"] = _said(slots["__globals__"])
            names = set(_names(function.__code__))
            for value in (*slots["__globals__"].values(), *_cells(function)):
                self._want_members(value, names)
        return reduced

    def _foreign(self, function: FunctionType) -> Any:
        reduced = super().reducer_override(function)
        if isinstance(reduced, tuple) and is_named(function):
            return resolve, (function.__module__, function.__qualname__)
        return reduced

    def _want_itself(self, obj: FunctionType | type) -> None:
        """Keep the object that its module has under its name, or under that of its outer class.

        A lookup in the module, as Spark does, then finds this object and not a second one.
        """
        module, name = _imported(obj.__module__), obj.__qualname__.partition(".")[0]
        if module and self._own.has(module) and name in vars(module):
            self.wanted.setdefault((module.__name__, name), vars(module)[name])

    def _want_members(self, value: Any, names: set[str]) -> None:
        if not isinstance(value, ModuleType) or not self._own.has(value):
            return
        for name in sorted(names & vars(value).keys() - _MADE_BY_IMPORT):
            key = (value.__name__, name)
            if key not in self.wanted:
                self.wanted[key] = vars(value)[name]
                self._want_members(vars(value)[name], names)


def _check_members(found: dict[Any, Any]) -> None:
    for name, value in found.items():
        if type(name) is str and type(value) in (str, bytes) and value and names_secret(name):
            raise HoldsSecret(name)


def _module_of(function: FunctionType) -> ModuleType | None:
    """Return the imported module whose globals a function has."""
    module = _imported(function.__globals__.get("__name__"))
    return module if module and vars(module) is function.__globals__ else None


def _imported(name: Any) -> ModuleType | None:
    module = sys.modules.get(name) if isinstance(name, str) else None
    return module if isinstance(module, ModuleType) else None


def _said(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in _MADE_BY_IMPORT}


def _cells(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # nothing was assigned to it yet
            yield cell.cell_contents


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _texts(value: Any) -> Iterator[int]:
    if isinstance(value, str):
        yield id(value)
    elif isinstance(value, tuple | frozenset):
        for one in value:
            yield from _texts(one)


def _reduced_class(cls: type, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(reduced) == 2:  # one of Python's own, by its name
        return reduced
    members, slots = reduced[2]
    # What msgspec keeps of a class that it has decoded cannot be pickled.
    kept = {name: one for name, one in members.items() if name != "__msgspec_cache__"}
    found = (*reduced[:2], (kept, slots), *reduced[3:])
    if issubclass(cls, msgspec.Struct):
        return reduce_struct(cls, found)
    return _without_tracker(found)


def _without_tracker(reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    """Take out the random name by which cloudpickle knows a class again: it differs each time."""
    made = tuple(None if _is_tracker(one) else one for one in reduced[1])
    return (reduced[0], made, *reduced[2:])


def _is_tracker(value: Any) -> bool:
    return type(value) is str and _TRACKER.fullmatch(value) is not None
