"""Canonical JSON, and its hash."""

import hashlib
import json
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text on every machine."""
    try:
        return _ENCODER.encode(value).decode()
    except OverflowError:
        # An integer beyond 64 bits, which JSON may have and the fast encoder does not.
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """Return the SHA-256 of `canonical_json(value)`, 64 hexadecimal digits."""
    return text_hash(canonical_json(value))


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
