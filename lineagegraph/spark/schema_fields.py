"""Spark's JSON schemas as the fields of OpenLineage's schema facet."""

import json
from typing import Any

Field = dict[str, Any]


def schema_fields(text: str) -> tuple[Field, ...]:
    """Return the fields of a `StructType` as it writes itself in JSON."""
    return tuple(_field(field["name"], field["type"]) for field in json.loads(text)["fields"])


def _field(name: str, kind: Any) -> Field:
    if isinstance(kind, str):
        return {"name": name, "type": kind}
    inner = _inner(kind)
    return {"name": name, "type": kind["type"], **({"fields": inner} if inner else {})}


def _inner(kind: dict[str, Any]) -> list[Field]:
    match kind["type"]:
        case "struct":
            return [_field(field["name"], field["type"]) for field in kind["fields"]]
        case "array":
            return [_field("_element", kind["elementType"])]
        case "map":
            return [_field("key", kind["keyType"]), _field("value", kind["valueType"])]
    return []
