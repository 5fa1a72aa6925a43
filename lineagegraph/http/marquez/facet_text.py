"""Texts in facets; values of unexpected types are ignored."""

import msgspec

from lineagegraph.model.typed import decode_json
from lineagegraph.queries.runs.run_details import Facets

_Map = dict[str, msgspec.Raw]


class _Field(msgspec.Struct):
    name: str
    description: str | None = None


class _Schema(msgspec.Struct):
    fields: list[_Field] = []


def facet_text(facets: Facets, facet: str, field: str) -> str | None:
    """Return a text field of a facet."""
    if facet not in facets:
        return None
    try:
        return decode_json(decode_json(facets[facet], into=_Map)[field], into=str)
    except (KeyError, msgspec.DecodeError):
        return None


def field_descriptions(facets: Facets) -> dict[str, str | None]:
    """Return the description of each column in the schema facet."""
    try:
        fields = decode_json(facets["schema"], into=_Schema).fields
    except (KeyError, msgspec.DecodeError):
        return {}
    return {field.name: field.description for field in fields}


def plain_texts(text: str | None) -> dict[str, str]:
    """Return the values of a JSON map as texts: a text as itself, all else as JSON."""
    if not text:
        return {}
    try:
        values = decode_json(text, into=_Map)
    except msgspec.DecodeError:
        return {}
    return {name: _plain(bytes(value)) for name, value in values.items()}


def _plain(value: bytes) -> str:
    return decode_json(value, into=str) if value.startswith(b'"') else value.decode()
