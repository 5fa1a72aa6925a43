"""Texts in definitions: alone, in lists, in maps, and within other values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError


def checked_text(value: Any, what: str, origin: Origin) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise DefinitionError(f"{origin}: {what}={value!r} must be text")
    return value


def checked_texts(
    values: Sequence[str], what: str, origin: Origin, *, least: int = 1
) -> tuple[str, ...]:
    """Return a list of texts."""
    listed = isinstance(values, Sequence) and not isinstance(values, str)
    if not listed or len(values) < least or not all(isinstance(one, str) for one in values):
        raise DefinitionError(f"{origin}: {what}={values!r} must be a list of texts")
    return tuple(values)


def text_map(values: Mapping[str, Any], what: str, origin: Origin) -> dict[str, str]:
    """Return a map of texts; numbers become text, and truth values as Spark writes them."""
    for name, value in values.items():
        if not isinstance(name, str) or not isinstance(value, str | int | float):
            raise DefinitionError(f"{origin}: {what} {name!r}: {value!r} must be text")
    return {name: _text(value) for name, value in values.items()}


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts of a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(one)


def _text(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
