"""Named values as stored in the graph, and their differences."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

T = TypeVar("T")


class Changed(NamedTuple):
    """A name and its values before and after; None if it is absent."""

    name: str
    before: Any
    after: Any


def values_of(text: str | None) -> dict[str, Any]:
    """Return the JSON object of a text: empty without one, any other value under `value`."""
    values = msgspec.json.decode(text) if text else {}
    return values if isinstance(values, dict) else {"value": values}


def list_changed(before: Mapping[str, T], after: Mapping[str, T]) -> Iterator[Changed]:
    """Yield the names whose values differ, in order."""
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield Changed(name, before.get(name), after.get(name))
