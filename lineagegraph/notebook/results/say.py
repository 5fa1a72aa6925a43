"""Any value of an answer in one line."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

import msgspec

from lineagegraph.model.property_graph import Node, Path, Point, Relationship

NOTHING = "null"


def say(value: Any) -> str:
    """Return a value as people read it; a text is itself at the top, quoted inside others."""
    return " ".join(value.split()) if isinstance(value, str) else _said(value)


def say_count(number: int, what: str) -> str:
    """Return how many there are: `1 row`, `2,000 rows`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def say_took(seconds: float) -> str:
    """Return a number of seconds as people read it: `2 min 16 s`."""
    return _length(timedelta(seconds=round(seconds, 1 if seconds < 60 else None)))


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
            return _length(value)
        case Node():
            return f"({_labels(value)}{_properties(value.properties)})"
        case Relationship():
            return f"[:{value.type}{_properties(value.properties)}]"
        case Path():
            return _way(value)
        case Point():
            return f"point({', '.join(f'{one:g}' for one in value.coordinates)})"
        case Mapping():
            return "{" + ", ".join(f"{key}: {_said(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_said, value)) + "]"
    return str(value)


def _when(at: datetime | time) -> str:
    """To the second, or to as much more as there is."""
    whole = at.isoformat(" ") if isinstance(at, datetime) else at.isoformat()
    return whole.replace("+00:00", " UTC")


def _length(length: timedelta) -> str:
    sign, rest = ("-", -length) if length < timedelta() else ("", length)
    minutes, seconds = divmod(rest.total_seconds(), 60)
    hours, minutes = divmod(int(minutes), 60)
    days, hours = divmod(hours, 24)
    parts = [f"{n} {unit}" for n, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if n]
    if seconds or not parts:
        parts.append(f"{round(seconds, 3):g} s")
    return sign + " ".join(parts)


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
