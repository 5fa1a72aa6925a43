"""The canonical form of values that contain no others, and which values contain which."""

import dataclasses
import enum
import hashlib
import re
import sys
from collections.abc import Callable
from datetime import date, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from pathlib import PurePath
from types import BuiltinFunctionType, ModuleType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.module_of import module_of
from lineagegraph.authoring.project_scope import Own

LONGEST = 200
_INT64 = 2**63
_SURROGATE = re.compile("[\ud800-\udfff]")
_BY_REPR = Decimal | Fraction | UUID | complex | range | timedelta | timezone


def label(named: Any, own: Own) -> str:
    """Return the full name of a type or function."""
    module = module_of(named, own.root)
    name = getattr(named, "__qualname__", type(named).__qualname__)
    return name if module == "builtins" else f"{module}:{name}"


def spell_value(value: Any, own: Own) -> Any:
    """Return the form of a value that contains no others; what has none counts by its type."""
    if type(value) in (bool, type(None)):
        return value
    return {"type": label(type(value), own)} | _said(value, own) if _is_tagged(value) else value


def fields_of(value: Any, own: Own) -> dict[str, Any] | None:
    """Return what an object consists of, if that is known: its fields, or the project's own."""
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


def _is_of_project(kind: type, own: Own) -> bool:
    module = sys.modules.get(kind.__module__)
    return module is not None and own.has(module)


def _is_tagged(value: Any) -> bool:
    """Say whether JSON alone would not tell the value."""
    if type(value) is str:
        return len(value) > LONGEST or not value.isprintable() or value.startswith("/")
    if type(value) is int:
        return not -_INT64 <= value < _INT64
    return not (type(value) is float and isfinite(value))


def _said(value: Any, own: Own) -> dict[str, Any]:
    for kinds, spell in _SPELLED:
        if isinstance(value, kinds):
            return spell(value, own)
    return _array(value) if type(value).__module__.partition(".")[0] == "numpy" else {}


def _member(value: enum.Enum, own: Own) -> dict[str, Any]:
    return {"name": value.name} if value.name else {"value": str(value.value)}


def _moment(value: Any, own: Own) -> dict[str, Any]:
    zone = getattr(value, "tzinfo", None)
    named = {"zone": zone.key} if isinstance(zone, ZoneInfo) else {}
    return {"value": value.isoformat()} | named


def _text(value: str | PurePath, own: Own) -> dict[str, Any]:
    text = value.as_posix() if isinstance(value, PurePath) else str(value)
    inside = own.path(text) if text.startswith("/") else None
    if inside is not None:
        return {"place": inside}
    content = text.encode(errors="surrogatepass")
    if len(content) <= LONGEST and not _SURROGATE.search(text):
        return {"value": text}
    return {"sha256": hashlib.sha256(content).hexdigest()}


def _bytes(value: bytes | bytearray, own: Own | None) -> dict[str, Any]:
    if len(value) <= LONGEST:
        return {"value": value.hex()}
    return {"sha256": hashlib.sha256(value).hexdigest()}


def _array(value: Any) -> dict[str, Any]:
    """Spell what numpy has: a scalar is an array without dimensions."""
    if not hasattr(value, "tobytes") or value.dtype.hasobject:
        return {}
    said = {"of": value.dtype.str, "shape": list(value.shape)}
    return said | ({"value": str(value)} if value.shape == () else _bytes(value.tobytes(), None))


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
