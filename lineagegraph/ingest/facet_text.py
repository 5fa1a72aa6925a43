"""The words of facets by which jobs and datasets are found."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

_MOST = 20_000


def facet_text(name: str, body: Any) -> str | None:
    """Return the words of a facet; None if it is not searched. The body may have any shape."""
    if name not in _WORDS or not isinstance(body, dict):
        return None
    texts = (text for text in _WORDS[name](body) if isinstance(text, str))
    return "\n".join(texts)[:_MOST] or None


def _columns(body: dict[str, Any]) -> Iterator[Any]:
    pending = _maps(body.get("fields"))
    while pending:
        one = pending.pop()
        yield from (one.get("name"), one.get("description"))
        pending += _maps(one.get("fields"))


def _tags(body: dict[str, Any]) -> Iterator[Any]:
    for one in _maps(body.get("tags")):
        yield from (one.get("key"), one.get("value"))


def _maps(listed: Any) -> list[dict[str, Any]]:
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


_WORDS: dict[str, Callable[[dict[str, Any]], Iterable[Any]]] = {
    "sql": lambda body: [body.get("query")],
    "documentation": lambda body: [body.get("description")],
    "ownership": lambda body: [one.get("name") for one in _maps(body.get("owners"))],
    "schema": _columns,
    "tags": _tags,
}
