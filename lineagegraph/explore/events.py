"""Events as they were sent."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.store import events, facets

FACET_MAPS = ("facets", "inputFacets", "outputFacets")


class EventPage(NamedTuple):
    """Some events of a span of time, and how many it has."""

    events: list[dict[str, Any]]
    total: int


def list_events(
    tx: Transaction,
    *,
    after: datetime | None = None,
    before: datetime | None = None,
    offset: int = 0,
    limit: int = 100,
    newest_first: bool = True,
) -> EventPage:
    """Return the events from `after` on, up to but without `before`, each as it was sent."""
    span = {"after": _spell(after), "before": _spell(before)}
    list_them = events.list_newest if newest_first else events.list_oldest
    bodies = list_them(tx, **span, offset=offset, limit=limit)
    return EventPage(whole_events(tx, bodies), events.count_events(tx, **span))


def whole_events(tx: Transaction, bodies: list[str]) -> list[dict[str, Any]]:
    """Return events as they were sent; `bodies` are JSON with the hashes of their facets."""
    found = [msgspec.json.decode(body) for body in bodies]
    hashes = {hash_ for event in found for hash_ in _hashes(event)}
    known = {
        facet.hash: msgspec.json.decode(facet.body)
        for facet in facets.list_bodies(tx, hashes=sorted(hashes))
    }
    return [_replace(event, known.__getitem__) for event in found]


def _hashes(event: Any) -> Iterator[str]:
    found: list[str] = []
    _replace(event, found.append)
    yield from found


def _replace(value: Any, facet: Callable[[str], Any]) -> Any:
    """Return an event with each hash of a facet replaced by what `facet` gives for it."""
    if isinstance(value, list):
        return [_replace(item, facet) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: hash_ and facet(hash_) for name, hash_ in item.items()}
        if key in FACET_MAPS and isinstance(item, dict)
        else _replace(item, facet)
        for key, item in value.items()
    }


def _spell(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
