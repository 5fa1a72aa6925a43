"""New items that a sensor found, and the cursor behind them."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from lineagegraph.model.typed import refuse_nan

MOST_ITEMS = 500
LARGEST_ITEM = 32_000
LARGEST_ITEMS = 500_000
LARGEST_CURSOR = 160_000


class NewItems(msgspec.Struct, frozen=True):
    """The items of an answer, each as JSON text, and the cursor after them as JSON text."""

    items: tuple[str, ...]
    cursor: str

    def __bool__(self) -> bool:
        return bool(self.items)


def new_items(items: Iterable[Mapping[str, Any]], *, cursor: Any) -> NewItems:
    """Return the answer of a sensor: each item fires its triggers once, with its values.

    An item is a dictionary of JSON values: a parameter of the started run takes the value of its
    name. `cursor` is any JSON value that tells what was found so far. The next poke gets it as the
    argument `cursor`, and None the first time. Both are stored together, or neither is.
    """
    texts = tuple(_item(one) for one in items)
    if len(texts) > MOST_ITEMS:
        raise ValueError(
            f"new_items() has {len(texts)} items, and at most {MOST_ITEMS} are taken at once: "
            "return the first of them, with the cursor behind these"
        )
    if (size := sum(len(text.encode()) for text in texts)) > LARGEST_ITEMS:
        raise ValueError(
            f"new_items() has {size} bytes of items, and at most {LARGEST_ITEMS} are taken at "
            "once: return fewer, with the cursor behind these"
        )
    return NewItems(texts, encode_cursor(cursor))


def encode_cursor(cursor: Any) -> str:
    """Return a cursor as JSON text; raise `ValueError` if it is not JSON, or too large."""
    return _json(cursor, "the cursor", LARGEST_CURSOR)


def _item(item: Mapping[str, Any]) -> str:
    if not isinstance(item, Mapping):
        raise TypeError(f"an item is a dictionary of values, not {item!r}"[:300])
    return _json(dict(item), "an item", LARGEST_ITEM)


def _json(value: Any, what: str, largest: int) -> str:
    try:
        text = msgspec.json.encode(value).decode()
        # Without a cursor a sensor finds everything again.
        refuse_nan(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"{what} cannot be written as JSON: {error}") from None
    if len(text.encode()) > largest:
        raise ValueError(f"{what} has {len(text.encode())} bytes, and at most {largest} are kept")
    return text
