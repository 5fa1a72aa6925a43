"""Checks of the names, texts and durations in definitions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.waits import LONGEST as LONGEST_WAIT
from lineagegraph.text import Duration, read_duration

LONGEST_NAME = 200


def checked_name(name: object, kind: str, origin: Origin) -> str:
    """Return the name of a pipeline, group or task; raise `DefinitionError` if it is not valid."""
    if not isinstance(name, str):
        raise DefinitionError(f"{origin}: the name of a {kind} must be text, not {name!r}")
    fault = _fault(name)
    if fault:
        raise DefinitionError(f"{origin}: {kind} name {name[:60]!r} {fault}")
    return name


def _fault(name: str) -> str | None:
    if not name or name != name.strip():
        return "is empty or has spaces around it"
    if not name.isprintable():
        return "has control characters"
    if len(name) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    return None


def checked_text(value: Any, option: str, origin: Origin) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise DefinitionError(f"{origin}: {option}={value!r} must be text")
    return value


def checked_texts(
    values: Sequence[str], option: str, origin: Origin, *, least: int = 1
) -> tuple[str, ...]:
    """Return a list of texts."""
    listed = isinstance(values, Sequence) and not isinstance(values, str)
    if not listed or len(values) < least or not all(isinstance(one, str) for one in values):
        raise DefinitionError(f"{origin}: {option}={values!r} must be a list of texts")
    return tuple(values)


def text_map(values: Mapping[str, Any], option: str, origin: Origin) -> dict[str, str]:
    """Return a map of texts; numbers become text, and truth values as Spark writes them."""
    for name, value in values.items():
        if not isinstance(name, str) or not isinstance(value, str | int | float):
            raise DefinitionError(f"{origin}: {option} {name!r}: {value!r} must be text")
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


__all__ = ["Duration", "seconds"]


def seconds(duration: Duration, option: str, origin: Origin) -> float:
    """Return a duration in seconds; a plain number is seconds."""
    value = read_duration(duration)
    if value is None:
        raise DefinitionError(
            f"{origin}: {option} {duration!r} is not a duration: write it as '5s', '10m' or '1.5h'"
        )
    return value


def bounded_seconds(duration: Duration, option: str, origin: Origin, least: float = 0.0) -> float:
    """Return a duration in seconds, from `least` seconds to ten years."""
    found = read_duration(duration)
    if found is None:
        raise DefinitionError(
            f"{origin}: {option}={duration!r} is not a duration: write it as '30m', '36h' or '7d'"
        )
    if not least <= found <= LONGEST_WAIT:
        raise DefinitionError(
            f"{origin}: {option}={duration!r} must be between {least:g} seconds and ten years"
        )
    return found
