"""Parameters of a pipeline: how they are declared, and how given values are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any

import msgspec

from lineagegraph.definitions.origin import Origin
from lineagegraph.errors import DefinitionError, InvalidParameter
from lineagegraph.model.canonical import canonical_json
from lineagegraph.model.definition import Parameter, Pipeline

TYPES: dict[type, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    datetime: "datetime",
    date: "date",
    list: "json",
    dict: "json",
}
PYTHON_TYPES = {name: type_ for type_, name in TYPES.items() if name != "json"}
_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Declaration:
    """A parameter's type, and its default if it has one."""

    python_type: type
    default: Any = _REQUIRED


def param(type_: type, /, *, default: Any = _REQUIRED) -> Declaration:
    """Declare a parameter of a type; without a default every run must give it."""
    return Declaration(type_, default)


def declare(declared: Mapping[str, Any], pipeline: str, origin: Origin) -> tuple[Parameter, ...]:
    """Return the parameters that `params={name: default, type or lg.param(…)}` declares."""
    return tuple(_declare(name, value, pipeline, origin) for name, value in declared.items())


def resolve_params(pipeline: Pipeline, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every parameter, as JSON: given ones (text or values), then defaults.

    Dates and times are ISO 8601 text in the result; a `json` parameter's text is parsed.
    Raises `InvalidParameter` for one that is unknown, missing or of another type.
    """
    known = {parameter.name: parameter for parameter in pipeline.parameters}
    for name in given:
        if name not in known:
            has = ", ".join(known) or "none"
            raise InvalidParameter(f"parameter {name} of {pipeline.name}: unknown; it has {has}")
    return {name: _value(known[name], given, pipeline.name) for name in known}


def _declare(name: str, value: Any, pipeline: str, origin: Origin) -> Parameter:
    if not isinstance(name, str) or not name.isidentifier() or name == "spark":
        raise DefinitionError(
            f"{origin}: parameter {name!r} of {pipeline}: use a Python name other than 'spark'"
        )
    declaration = _declaration(value)
    type_ = TYPES.get(declaration.python_type)
    if type_ is None:
        raise DefinitionError(
            f"{origin}: parameter {name} of {pipeline}: {value!r} has no type that is known here; "
            f"use lg.param(type) with one of {', '.join(t.__name__ for t in TYPES)}"
        )
    if declaration.default is _REQUIRED:
        return Parameter(name=name, type=type_, required=True)
    if declaration.default is None:
        return Parameter(name=name, type=type_)
    try:
        return Parameter(name=name, type=type_, default=_plain(type_, declaration.default))
    except ValueError as error:
        raise InvalidParameter(f"{origin}: default of {name} of {pipeline}: {error}") from error


def _declaration(value: Any) -> Declaration:
    if isinstance(value, Declaration):
        return value
    return Declaration(value) if isinstance(value, type) else Declaration(type(value), value)


def _value(parameter: Parameter, given: Mapping[str, Any], pipeline: str) -> Any:
    where = f"parameter {parameter.name} of {pipeline}"
    if parameter.name not in given:
        if parameter.required:
            raise InvalidParameter(f"{where}: missing; give {parameter.name}=… ({parameter.type})")
        return parameter.default
    value = given[parameter.name]
    if value is None and parameter.default is None and not parameter.required:
        return None
    try:
        return _plain(parameter.type, _parsed(value) if parameter.type == "json" else value)
    except ValueError as error:
        raise InvalidParameter(f"{where}: {error}") from error


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        raise ValueError(f"expected JSON, got {value!r}") from None


def _plain(type_: str, value: Any) -> Any:
    """Return a value as JSON has it."""
    if type_ == "json":
        return json_value(value)
    wanted = PYTHON_TYPES[type_]
    found: Any = None
    with suppress(msgspec.ValidationError):
        found = msgspec.convert(value, wanted, strict=False)
    if found is None or (isinstance(found, float) and not isfinite(found)):
        raise ValueError(f"expected {type_}, got {value!r}")
    return found.isoformat() if isinstance(found, date) else found


def json_value(value: Any) -> Any:
    """Return a value as JSON has it; raise `ValueError` where it is none."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected JSON, got {value!r} ({error})") from None
    return json.loads(canonical_json(json.loads(text)))
