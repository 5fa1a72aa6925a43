"""From a body to JSON values."""

import json
from typing import Any

import msgspec

from lineagegraph.errors import InvalidEvent


def decode_json(body: bytes) -> Any:
    """Return the JSON value of a body; raise `InvalidEvent` where it is none.

    What Python's own decoder takes beyond JSON (NaN, lone surrogates) is given as it is: who looks
    at the value can say where in it the fault is.
    """
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _decode_loosely(body, error)


def decode_array(body: bytes) -> list[Any]:
    """Return the JSON array of a body; raise `InvalidEvent` where it is none."""
    value = decode_json(body)
    if not isinstance(value, list):
        raise InvalidEvent(f"expected an array of events, got {type(value).__name__}")
    return value


def _decode_loosely(body: bytes, first: Exception) -> Any:
    try:
        return json.loads(body)
    except RecursionError:
        raise InvalidEvent("nested too deep") from None
    except ValueError:
        raise InvalidEvent(f"not JSON: {first}") from None
