"""Decode bodies to JSON values."""

import json
from typing import Any

import msgspec

from lineagegraph.errors import InvalidEvent


def decode_json(body: bytes) -> Any:
    """Return the JSON value of a body; raise `InvalidEvent` if it is not JSON.

    Values that Python's decoder accepts beyond JSON (NaN, lone surrogates) are returned as they
    are: a later check names their path.
    """
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _decode_loosely(body, error)


def decode_array(body: bytes) -> list[Any]:
    """Return the JSON array of a body; raise `InvalidEvent` for anything else."""
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
