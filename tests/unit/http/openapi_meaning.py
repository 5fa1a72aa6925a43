"""The meaning of an OpenAPI document: its operations without names, prose and references."""

from collections.abc import Iterator
from typing import Any

import msgspec

Json = Any
_PROSE = {"title", "description", "examples"}
_TYPES = {
    "minLength": ("string",),
    "maxLength": ("string",),
    "pattern": ("string",),
    "format": ("string",),
    "minimum": ("integer", "number"),
    "maximum": ("integer", "number"),
    "exclusiveMinimum": ("integer", "number"),
    "additionalProperties": ("object",),
    "items": ("array",),
}
_KINDS = {"type", "anyOf", "enum", "const", "allOf"}


def operations_of(document: Json) -> dict[str, Json]:
    """Return what each operation takes and answers."""
    return {
        f"{method.upper()} {path}": _operation(about, document["components"])
        for path, methods in document["paths"].items()
        for method, about in methods.items()
    }


def list_differences(before: Json, after: Json, path: str = "") -> Iterator[str]:
    """Yield where two values differ, as `path: before -> after`."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from list_differences(before.get(key), after.get(key), f"{path}/{key}")
    elif before != after:
        yield f"{path}: {_text(before)} -> {_text(after)}"


def _operation(about: Json, components: Json) -> Json:
    parameters = [_resolve(one, components) for one in about.get("parameters", ())]
    body = about.get("requestBody", {})
    return {
        "id": about["operationId"],
        "tags": about["tags"][0],
        "deprecated": about.get("deprecated", False),
        "parameters": {
            f"{one['in']} {one['name']}": {
                "required": one.get("required", False),
                "schema": _schema(one["schema"], components),
            }
            for one in parameters
        },
        "body": {
            "required": body.get("required", False),
            "content": _content(body, components),
        },
        "responses": {
            status: _response(_resolve(one, components), components)
            for status, one in about["responses"].items()
        },
    }


def _response(one: Json, components: Json) -> Json:
    headers = {
        name: {
            "required": header.get("required", False),
            "schema": _schema(header["schema"], components),
        }
        for name, header in one.get("headers", {}).items()
    }
    return {"content": _content(one, components), "headers": headers}


def _content(one: Json, components: Json) -> Json:
    return {
        media: _schema(about["schema"], components)
        for media, about in one.get("content", {}).items()
    }


def _resolve(item: Json, components: Json) -> Json:
    if "$ref" not in item:
        return item
    _, _, section, name = item["$ref"].split("/")
    return components[section][name]


def _schema(schema: Json, components: Json) -> Json:
    """Return a schema as its alternatives, by type: null is one of them."""
    found: dict[str, Json] = {}
    for one in _alternatives(schema, components):
        kind = str(one.pop("type", "any"))
        found[kind + ("s" if kind in found else "")] = one
    return found


def _alternatives(schema: Json, components: Json) -> Iterator[dict[str, Json]]:
    schema = {**schema, **_resolve(schema, components)}
    rest = {key: value for key, value in schema.items() if key not in _KINDS | _PROSE | {"$ref"}}
    if "allOf" in schema:
        yield _merge([_resolve(one, components) for one in schema["allOf"]], components)
    elif "anyOf" in schema:
        for one in schema["anyOf"]:
            yield from _alternatives({**rest, **one}, components)
    elif "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        if set(values) - {None}:
            yield {"type": "enum", "values": sorted(str(one) for one in values if one is not None)}
        if None in values:
            yield {"type": "null"}
    elif isinstance(schema.get("type"), list):
        for kind in schema["type"]:
            yield from _alternatives({**rest, "type": kind}, components)
    else:
        kept = _members(schema.get("type"), rest, components)
        yield {"type": schema.get("type", "any"), **kept}


def _members(kind: str | None, rest: Json, components: Json) -> Json:
    """Return the keywords that count for a type."""
    kept = {
        name: value
        for name, value in rest.items()
        if kind is None or (kind in _TYPES.get(name, (kind,)) and kind != "null")
    }
    for name in ("items", "additionalProperties"):
        if isinstance(kept.get(name), dict):
            kept[name] = _schema(kept[name], components)
    if "properties" in kept:
        properties = kept["properties"].items()
        kept["properties"] = {name: _schema(one, components) for name, one in properties}
    if "required" in kept:
        kept["required"] = dict.fromkeys(kept["required"], True)
    return {
        name: value
        for name, value in kept.items()
        if value not in ({}, {"any": {}}) and value is not True
    }


def _merge(parts: list[Json], components: Json) -> dict[str, Json]:
    properties: dict[str, Json] = {}
    required: list[str] = []
    for part in parts:
        properties |= part["properties"]
        required += part["required"]
    return {
        "type": "object",
        **_members("object", {"properties": properties, "required": required}, components),
    }


def _text(value: Json) -> str:
    return "nothing" if value is None else msgspec.json.encode(value).decode()
