"""Tests of the value at a path of a JSON text, such as `data.0.state`."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from lineagegraph.errors import PokeFailed
from lineagegraph.model.triggers.predicate import Predicate

WHOLE = "$"


def holds(tests: Sequence[Predicate], text: bytes) -> bool:
    """Return whether a JSON text passes every test; a missing value passes none."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise PokeFailed(f"the response is not JSON: {error}") from None
    return all(_holds(one, value) for one in tests)


def _holds(test: Predicate, value: Any) -> bool:
    found = _at(value, test.key)
    return replace(test, key=WHOLE).holds({} if found is _NOTHING else {WHOLE: found})


def _at(value: Any, path: str) -> Any:
    if path == WHOLE:
        return value
    if isinstance(value, dict) and path in value:
        return value[path]
    first, _, rest = path.partition(".")
    inside = _inside(value, first)
    return inside if not rest or inside is _NOTHING else _at(inside, rest)


def _inside(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name, _NOTHING)
    if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
        return value[int(name)]
    return _NOTHING


_NOTHING = object()
