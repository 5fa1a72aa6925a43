"""The canonical form of the values that a task's function has besides its code.

Equal values have equal forms in every process, checkout and version of Python: without addresses,
the order of dicts and sets, or the project's folder. A long form is replaced by its hash, and an
object without a value of its own by its type.
"""

import dataclasses
import enum
import hashlib
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable
from datetime import date, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import isfinite
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.authoring.functions import closure, defaults, function_of, module_of
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.model.names.keys import canonical_hash, canonical_json

LONGEST_VALUE = 200
_INT64 = 2**63
_SURROGATE = re.compile("[\ud800-\udfff]")
_BY_REPR = Decimal | Fraction | UUID | complex | range | timedelta | timezone


def label(named: Any, own: ProjectScope) -> str:
    """Return the full name of a type or function."""
    module = module_of(named, own.root)
    if module.partition(".")[0] in sys.stdlib_module_names:
        # Which private module has what a public one exports depends on the version of Python.
        module = module.partition("._")[0]
    name = getattr(named, "__qualname__", type(named).__qualname__)
    return name if module == "builtins" else f"{module}:{name}"


def spell_value(value: Any, own: ProjectScope) -> Any:
    """Return the form of a value that contains no others; by its type if it has no own form."""
    if type(value) in (bool, type(None)):
        return value
    return {"type": label(type(value), own)} | _form(value, own) if _is_tagged(value) else value


def fields_of(value: Any, own: ProjectScope) -> dict[str, Any] | None:
    """Return the fields of an object, None if they are unknown: its class is a library's."""
    if isinstance(value, type | Handle | enum.Enum | ModuleType):
        return None
    if isinstance(value, msgspec.Struct):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if dataclasses.is_dataclass(value):
        return {one.name: getattr(value, one.name, None) for one in dataclasses.fields(value)}
    return _attributes(value) if _is_of_project(type(value), own) else None


def _attributes(value: Any) -> dict[str, Any]:
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return found | getattr(value, "__dict__", {})


def _slots(kind: type) -> tuple[str, ...]:
    names = vars(kind).get("__slots__", ())
    return (names,) if isinstance(names, str) else tuple(names)


def _is_of_project(kind: type, own: ProjectScope) -> bool:
    module = sys.modules.get(kind.__module__)
    return module is not None and own.has(module)


def _is_tagged(value: Any) -> bool:
    """Return whether JSON alone would not identify the value."""
    if type(value) is str:
        return len(value) > LONGEST_VALUE or not value.isprintable() or value.startswith("/")
    if type(value) is int:
        return not -_INT64 <= value < _INT64
    return not (type(value) is float and isfinite(value))


def _form(value: Any, own: ProjectScope) -> dict[str, Any]:
    for kinds, spell in _SPELLED:
        if isinstance(value, kinds):
            return spell(value, own)
    return _array(value) if type(value).__module__.partition(".")[0] == "numpy" else {}


def _member(value: enum.Enum, own: ProjectScope) -> dict[str, Any]:
    return {"name": value.name} if value.name else {"value": str(value.value)}


def _moment(value: Any, own: ProjectScope) -> dict[str, Any]:
    zone = getattr(value, "tzinfo", None)
    named = {"zone": zone.key} if isinstance(zone, ZoneInfo) else {}
    return {"value": value.isoformat()} | named


def _text(value: str | PurePath, own: ProjectScope) -> dict[str, Any]:
    text = value.as_posix() if isinstance(value, PurePath) else str(value)
    inside = own.path(text) if text.startswith("/") else None
    if inside is not None:
        return {"place": inside}
    content = text.encode(errors="surrogatepass")
    if len(content) <= LONGEST_VALUE and not _SURROGATE.search(text):
        return {"value": text}
    return {"sha256": hashlib.sha256(content).hexdigest()}


def _bytes(value: bytes | bytearray, own: ProjectScope | None) -> dict[str, Any]:
    if len(value) <= LONGEST_VALUE:
        return {"value": value.hex()}
    return {"sha256": hashlib.sha256(value).hexdigest()}


def _array(value: Any) -> dict[str, Any]:
    """Return the form of a numpy value; a scalar is an array without dimensions."""
    if not hasattr(value, "tobytes") or value.dtype.hasobject:
        return {}
    form = {"of": value.dtype.str, "shape": list(value.shape)}
    return form | ({"value": str(value)} if value.shape == () else _bytes(value.tobytes(), None))


_SPELLED: tuple[tuple[Any, Callable[[Any, Any], dict[str, Any]]], ...] = (
    (enum.Enum, _member),
    (str | PurePath, _text),
    (bytes | bytearray, _bytes),
    (int | float | _BY_REPR, lambda value, _: {"value": repr(value)}),
    (date | time, _moment),
    (ZoneInfo, lambda value, _: {"value": str(value)}),
    (re.Pattern, lambda value, _: {"value": str(value.pattern), "flags": value.flags}),
    (ModuleType, lambda value, _: {"value": value.__name__}),
    (type | BuiltinFunctionType, lambda value, own: {"value": label(value, own)}),
    (Handle, lambda value, _: {"value": value.name}),
)


LONGEST_FORM = 1000
_DEEPEST = 50


def captured(call: Callable[..., Any], own: ProjectScope) -> dict[str, Any]:
    """Return the form of a task's function: partial arguments, object, closure and defaults."""
    return _Speller(own).captured(call)


class _Speller:
    def __init__(self, own: ProjectScope) -> None:
        self._own = own
        self._above: list[int] = []

    def captured(self, call: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if isinstance(call, partial):
            found["arguments"] = [self._short(one) for one in call.args]
            found["keywords"] = self._named(call.keywords)
            call = call.func
        if isinstance(call, MethodType):
            found["self"] = self._short(call.__self__)
        elif not isinstance(call, FunctionType):
            found["self"] = self._short(call)
        if function := function_of(call):
            found["closure"] = self._named(closure(function))
            found["defaults"] = self._named(defaults(function))
        return {name: one for name, one in found.items() if one not in ([], {})}

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: self._short(value) for name, value in sorted(values.items())}

    def _short(self, value: Any) -> Any:
        form = self._spell(value)
        if len(canonical_json(form)) <= LONGEST_FORM:
            return form
        return {"type": label(type(value), self._own), "sha256": canonical_hash(form)}

    def _spell(self, value: Any) -> Any:
        if id(value) in self._above:
            return {"type": "cycle", "up": self._above[::-1].index(id(value))}
        if len(self._above) > _DEEPEST:
            return {"type": label(type(value), self._own)}
        self._above.append(id(value))
        try:
            return self._spell_inside(value)
        finally:
            self._above.pop()

    def _spell_inside(self, value: Any) -> Any:
        kind = label(type(value), self._own)
        match value:
            case dict() | MappingProxyType():
                return {"type": kind, "items": _sorted(self._each(value.items()))}
            case set() | frozenset():
                return {"type": kind, "items": _sorted(self._each(value))}
            case list() | tuple() | deque():
                items = self._each(value)
                return items if type(value) is list else {"type": kind, "items": items}
            case FunctionType():
                return {"type": "function", "of": label(value, self._own)} | self.captured(value)
            case partial() | MethodType():
                form = {"type": kind, "of": label(function_of(value) or type(value), self._own)}
                return form | self.captured(value)
        fields = fields_of(value, self._own)
        if fields is None:
            return spell_value(value, self._own)
        return {"type": kind, "fields": {name: self._spell(one) for name, one in fields.items()}}

    def _each(self, values: Iterable[Any]) -> list[Any]:
        return [self._spell(value) for value in values]


def _sorted(forms: list[Any]) -> list[Any]:
    return sorted(forms, key=canonical_json)
