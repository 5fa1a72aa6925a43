"""Any value of an answer in one line."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

import msgspec

from lineagegraph.model.property_graph import Node, Path, Point, Relationship
from lineagegraph.text import format_duration

NOTHING = "null"


def say(value: Any) -> str:
    """Return a value as people read it; a text is itself at the top, quoted inside others."""
    return " ".join(value.split()) if isinstance(value, str) else _said(value)


def _said(value: Any) -> str:  # noqa: C901
    match value:
        case None:
            return NOTHING
        case bytes() | bytearray():
            return f"{len(value):,} bytes"
        case bool():
            return str(value).lower()
        case str():
            return msgspec.json.encode(value).decode()
        case datetime() | time():
            return _when(value)
        case timedelta():
            return format_duration(value.total_seconds())
        case Node():
            return f"({_labels(value)}{_properties(value.properties)})"
        case Relationship():
            return f"[:{value.type}{_properties(value.properties)}]"
        case Path():
            return _way(value)
        case Point():
            return f"point({', '.join(f'{one:g}' for one in value.coordinates)})"
        case msgspec.Struct():
            return _said(msgspec.structs.asdict(value))
        case Mapping():
            return "{" + ", ".join(f"{key}: {_said(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_said, value)) + "]"
    return str(value)


def _when(at: datetime | time) -> str:
    """To the second, or to as much more as there is."""
    whole = at.isoformat(" ") if isinstance(at, datetime) else at.isoformat()
    return whole.replace("+00:00", " UTC")


def _labels(node: Node) -> str:
    return "".join(f":{label}" for label in node.labels)


def _properties(properties: Mapping[str, Any]) -> str:
    return f" {_said(properties)}" if properties else ""


def _way(path: Path) -> str:
    said = _said(path.nodes[0])
    for node, step in zip(path.nodes[1:], path.relationships, strict=True):
        arrow = "-{}->" if step.target == node.id else "<-{}-"
        said += arrow.format(_said(step)) + _said(node)
    return said
