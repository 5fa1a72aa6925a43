"""The fingerprint of a function: its code and the values that it holds."""

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from dis import get_instructions
from functools import partial
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import cloudpickle

from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.sensors.calls.installed import is_foreign


def fingerprint(function: Any) -> str:
    """Return a hash of a function's code, defaults, closure and the globals that it uses."""
    return canonical_hash(_said(function, frozenset()))


def _said(value: Any, seen: frozenset[int]) -> Any:
    if id(value) in seen:
        return "again"
    inner = seen | {id(value)}
    if _is_named_elsewhere(value):
        return [value.__module__, value.__qualname__]
    match value:
        case None | bool() | int() | float() | str():
            return [type(value).__name__, repr(value)]
        case list() | tuple():
            return [type(value).__name__, [_said(one, inner) for one in value]]
        case set() | frozenset():
            return [type(value).__name__, sorted(str(_said(one, inner)) for one in value)]
        case dict():
            return ["dict", [[_said(key, inner), _said(one, inner)] for key, one in value.items()]]
        case CodeType():
            return _code(value, inner)
        case FunctionType():
            return _function(value, inner)
        case ModuleType():
            return ["module", value.__name__]
    return _object(value, inner)


def _is_named_elsewhere(value: Any) -> bool:
    """Return whether an installed package has it: then its name identifies it."""
    if not isinstance(value, type | FunctionType | BuiltinFunctionType):
        return False
    module = sys.modules.get(value.__module__ or "")
    return module is not None and is_foreign(module)


def _code(code: CodeType, seen: frozenset[int]) -> Any:
    consts = [_said(one, seen) for one in code.co_consts]
    return [code.co_code.hex(), list(code.co_names), list(code.co_varnames), consts]


def _function(function: FunctionType, seen: frozenset[int]) -> Any:
    return [
        _said(function.__code__, seen),
        _said(function.__defaults__, seen),
        _said(function.__kwdefaults__, seen),
        [_said(one, seen) for one in _closure(function)],
        {name: _said(one, seen) for name, one in _globals(function)},
    ]


def _object(value: Any, seen: frozenset[int]) -> Any:
    parts: tuple[Any, ...]
    match value:
        case type():
            return [
                value.__qualname__,
                *(_said(one, seen) for one in value.__bases__),
                _members(value, seen),
            ]
        case partial():
            parts = (value.func, value.args, value.keywords)
        case MethodType() | staticmethod() | classmethod():
            parts = (value.__func__, getattr(value, "__self__", None))
        case property():
            parts = (value.fget, value.fset)
        case _ if not _is_named_elsewhere(type(value)):
            parts = (type(value), getattr(value, "__dict__", None))
        case _ if is_dataclass(value):
            # A pickle has everything: for a task also the folder into which its code was unpacked.
            parts = ({one.name: getattr(value, one.name) for one in fields(value) if one.compare},)
        case _:
            return [type(value).__qualname__, sha256(cloudpickle.dumps(value)).hexdigest()]
    return [type(value).__qualname__, *(_said(one, seen) for one in parts)]


def _members(class_: type, seen: frozenset[int]) -> dict[str, Any]:
    """Return the members of a class without the ones that Python adds about its source."""
    found = vars(class_).items()
    own = {name: one for name, one in found if callable(one) or not name.startswith("__")}
    return {name: _said(one, seen) for name, one in own.items()}


def _closure(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing was assigned to it yet
            yield None


def _globals(function: FunctionType) -> Iterator[tuple[str, Any]]:
    known = function.__globals__
    for name in sorted(set(_names(function.__code__))):
        if name in known:
            yield name, known[name]


def _names(code: CodeType) -> Iterator[str]:
    """Yield the globals that code reads; names of attributes are none."""
    yield from (one.argval for one in get_instructions(code) if one.opname in _READS)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


_READS = ("LOAD_GLOBAL", "LOAD_NAME")
