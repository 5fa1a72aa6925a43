"""JSON Schemas of types, as msgspec makes them."""

from collections.abc import Iterable
from typing import Any

import msgspec

Schema = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEMPLATE = "#/components/schemas/{name}"


def make_schemas(types: Iterable[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Return the schema of each type, and by name the schemas that these refer to."""
    distinct = list(dict.fromkeys(types))
    schemas, components = msgspec.json.schema_components(distinct, ref_template=_TEMPLATE)
    named = {_short(name): _shortened(schema) for name, schema in components.items()}
    assert len(named) == len(components), "two types share a name in the document"
    return dict(zip(distinct, map(_shortened, schemas), strict=True)), named


def make_schema(kind: type[msgspec.Struct]) -> Schema:
    """Return the schema of a type as a document of its own."""
    definitions = _shortened(msgspec.json.schema(kind))["$defs"]
    own = definitions.pop(_short(kind.__name__))
    return {"$schema": _DIALECT, **own, "$defs": definitions}


def _short(name: str) -> str:
    return name.removesuffix("Answer")


def _shortened(value: Any) -> Any:
    """Return a schema with the names of the document in titles and references."""
    if isinstance(value, list):
        return [_shortened(one) for one in value]
    if isinstance(value, dict):
        title = {"title": _short(value["title"])} if isinstance(value.get("title"), str) else {}
        return {key: _shortened(one) for key, one in value.items()} | title
    return _short(value) if isinstance(value, str) and value.startswith("#/") else value
