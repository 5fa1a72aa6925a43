"""What tells one function from another, wherever it is read: its code and what it holds."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import cloudpickle

from lineagegraph.model.canonical import canonical_hash
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
    """Say whether an installed package has it: its name and not its code tells it then."""
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
    if isinstance(value, type):
        members = {name: one for name, one in vars(value).items() if callable(one)}
        return [value.__qualname__, {name: _said(one, seen) for name, one in members.items()}]
    return [type(value).__qualname__, sha256(cloudpickle.dumps(value)).hexdigest()]


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
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)
