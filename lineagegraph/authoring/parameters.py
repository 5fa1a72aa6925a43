"""Parameters of a pipeline, as its author declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError, InvalidParameter
from lineagegraph.model.pipelines.definition import Parameter
from lineagegraph.model.pipelines.parameters import TYPES, plain_value

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
        return Parameter(name=name, type=type_, default=plain_value(type_, declaration.default))
    except ValueError as error:
        raise InvalidParameter(f"{origin}: default of {name} of {pipeline}: {error}") from error


def _declaration(value: Any) -> Declaration:
    if isinstance(value, Declaration):
        return value
    return Declaration(value) if isinstance(value, type) else Declaration(type(value), value)
