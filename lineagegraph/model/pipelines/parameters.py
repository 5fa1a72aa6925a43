"""Values of a pipeline's parameters, and the partition of these values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from math import isfinite
from typing import Any

import msgspec
from msgspec.structs import replace

from lineagegraph.errors import InvalidParameter
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.typed import check_storable, convert_value

TYPES: dict[type, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    datetime: "datetime",
    date: "date",
    list: "list",
    dict: "dict",
    object: "json",
}
PYTHON_TYPES = {name: type_ for type_, name in TYPES.items()}
_OF_JSON = {"list", "dict", "json"}
_DAY_CHARACTERS = len("2026-02-03")


def resolve_params(pipeline: Pipeline, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every parameter, as JSON: given ones (text or values), then defaults.

    Dates and times are ISO 8601 text in the result; the text of a list, dict or `json` is parsed.
    Raises `InvalidParameter` for one that is unknown, missing or of another type.
    """
    known = {parameter.name: parameter for parameter in pipeline.parameters}
    for name in given:
        if name not in known:
            has = ", ".join(known) or "none"
            raise InvalidParameter(f"parameter {name} of {pipeline.name}: unknown; it has {has}")
    return {name: _value(known[name], given, pipeline.name) for name in known}


def check_given(pipeline: Pipeline, given: Mapping[str, Any]) -> None:
    """Raise `InvalidParameter` for a value of an unknown parameter or of the wrong type.

    Missing parameters may still be given later.
    """
    optional = tuple(replace(one, required=False) for one in pipeline.parameters)
    resolve_params(replace(pipeline, parameters=optional), given)


def partition_of(pipeline: Pipeline, params: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the partition of a run with these values, if the pipeline declares one.

    Times with an offset are in UTC: the same hour in two zones is one partition.
    """
    times = {one.name for one in pipeline.parameters if one.type == TYPES[datetime]}
    return {
        name: _in_utc(as_text(params[name])) if name in times else as_text(params[name])
        for name in pipeline.partition_by
    } or None


def _in_utc(text: str) -> str:
    try:
        at = datetime.fromisoformat(text)
        return at.astimezone(UTC).isoformat() if at.tzinfo else text
    except (ValueError, OverflowError):
        # Null, or a time that is in no year of UTC.
        return text


def as_text(value: Any) -> str:
    """Return a value as text for a command: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else canonical_json(value)


def plain_value(type_: str, value: Any) -> Any:
    """Return a value of a parameter's type as JSON data; raise `ValueError` for another type."""
    found = _typed(type_, value)
    check_storable(found)
    return found


def _typed(type_: str, value: Any) -> Any:
    wanted = PYTHON_TYPES[type_]
    if type_ in _OF_JSON:
        if not isinstance(value, (list, tuple) if wanted is list else wanted):
            raise ValueError(f"expected {type_}, got {value!r}")
        return json_value(value)
    found: Any = None
    with suppress(msgspec.ValidationError, ValueError):
        if wanted is datetime and isinstance(value, str) and len(value) > _DAY_CHARACTERS:
            # Also times without seconds, which msgspec does not take.
            value = datetime.fromisoformat(value)
        found = convert_value(value, wanted, strict=False)
    if found is None or (isinstance(found, float) and not isfinite(found)):
        raise ValueError(f"expected {type_}, got {value!r}")
    return found.isoformat() if isinstance(found, date) else found


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
        return plain_value(parameter.type, _parsed(value) if parameter.type in _OF_JSON else value)
    except ValueError as error:
        raise InvalidParameter(f"{where}: {error}") from error


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        raise ValueError(f"expected JSON, got {value!r}") from None


def json_value(value: Any) -> Any:
    """Return a value as JSON data; raise `ValueError` if it is none."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected JSON, got {value!r} ({error})") from None
    return json.loads(canonical_json(json.loads(text)))
