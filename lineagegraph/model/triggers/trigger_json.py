"""JSON form of triggers, shared by Python, the command line and HTTP."""

import re
from typing import Any

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.model.triggers.check import check_trigger
from lineagegraph.model.triggers.check_condition import check_status
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.typed import convert_value, decode_json
from lineagegraph.text import read_duration

_SPANS = (
    *("within", "max_age", "for", "seconds", "ttl", "rerun_delay"),
    *("poke_interval", "max_poke_interval"),
)
_DEEPEST = 64


def encode_trigger(trigger: Trigger) -> str:
    """Return a trigger as JSON text; equal triggers give equal text, and spans are in seconds."""
    return msgspec.json.encode(trigger, order="sorted").decode()


def decode_trigger(data: bytes | str | dict[str, Any]) -> Trigger:
    """Return a trigger from its JSON, in which a span may be a text such as `6h`.

    Raise `InvalidRule` with the JSON path if it is invalid.
    """
    try:
        found = data if isinstance(data, dict) else msgspec.json.decode(data)
        trigger = convert_value(_plain(found, "$", 0), Trigger)
    except msgspec.ValidationError as error:
        raise InvalidRule(_said(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRule(f"not JSON: {error}") from None
    check_trigger(trigger)
    return trigger


def read_stored(text: str) -> Trigger:
    """Return a trigger from what `encode_trigger` wrote, which was checked before it was kept."""
    return decode_json(text, into=Trigger)


def _plain(value: Any, path: str, depth: int) -> Any:
    """Return JSON with its spans in seconds and its statuses checked."""
    if depth > _DEEPEST:
        raise InvalidRule(f"{path}: conditions are nested more than {_DEEPEST} deep")
    if isinstance(value, list):
        return [_plain(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    return {key: _member(key, item, f"{path}.{key}", depth) for key, item in value.items()}


def _member(key: str, value: Any, path: str, depth: int) -> Any:
    if key in ("properties", "value", "default", "fields"):
        return value
    if key in _SPANS and isinstance(value, str):
        seconds = read_duration(value)
        if seconds is None:
            raise InvalidRule(f"{path}: {value!r} is not a duration: write it as '30s' or '6h'")
        return seconds
    if key == "statuses" and isinstance(value, list):
        return [check_status(str(status)) for status in value]
    return _plain(value, path, depth + 1)


def _said(error: msgspec.ValidationError) -> str:
    said, _, path = str(error).partition(" - at ")
    where = re.sub(r"`", "", path) or "$"
    return f"{where}: {said}"
