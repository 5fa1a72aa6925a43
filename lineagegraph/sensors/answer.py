"""Answers of pokes, and the values in them."""

from typing import Any

import msgspec

from lineagegraph.errors import PokeFailed
from lineagegraph.model.new_items import NewItems

PokeAnswer = bool | dict[str, Any] | NewItems
"""Whether a sensor is true, or the values or new items that it found; without any it is false."""
LARGEST_VALUE = 32_000
"""The most bytes of JSON that a value has: an answer goes through a pipe as one line."""


def encode_value(answer: PokeAnswer) -> str | None:
    """Return the values of an answer as JSON; None without any.

    Raises `PokeFailed` for values that are not JSON, or too large.
    """
    if isinstance(answer, bool | NewItems) or not answer:
        return None
    try:
        text = msgspec.json.encode(answer).decode()
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise PokeFailed(f"its value cannot be written as JSON: {error}") from None
    if len(text.encode()) > LARGEST_VALUE:
        raise PokeFailed(
            f"its value has {len(text.encode())} bytes, and at most {LARGEST_VALUE} are kept: "
            "return a place"
        )
    return text
