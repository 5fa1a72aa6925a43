"""An event as it is kept: whole, with its facets by hash; and as it was sent again."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.names.keys import canonical_json, text_hash
from lineagegraph.openlineage import AnyEvent, DatasetEvent, RunEvent
from lineagegraph.openlineage.decode import to_utc
from lineagegraph.store.runs import facets

_FACET_MAPS = ("facets", "inputFacets", "outputFacets")


def event_row(batch: Batch, event: AnyEvent, body: dict[str, Any]) -> dict[str, Any]:
    """Return an event's row; its id is the hash of its canonical form, so a duplicate is one."""
    text = canonical_json(_by_hash(batch, body))
    return {
        "id": text_hash(text),
        "event_time": to_utc(event.event_time).isoformat(),
        "event_type": event.event_type if isinstance(event, RunEvent) else None,
        "run_id": str(event.run.run_id) if isinstance(event, RunEvent) else None,
        "namespace": _namespace(event),
        "body": text,
    }


def _namespace(event: AnyEvent) -> str:
    about = event.dataset if isinstance(event, DatasetEvent) else event.job
    return about.namespace


def _by_hash(batch: Batch, value: Any) -> Any:
    if isinstance(value, list):
        return [_by_hash(batch, item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _facets(batch, item)
        if key in _FACET_MAPS and isinstance(item, dict)
        else _by_hash(batch, item)
        for key, item in value.items()
    }


def _facets(batch: Batch, facets: dict[str, Any]) -> dict[str, str | None]:
    return {
        name: None if body is None else batch.add_facet(name, body) for name, body in facets.items()
    }


def whole_events(tx: Transaction, bodies: Iterable[str]) -> list[dict[str, Any]]:
    """Return events as they were sent, from how they are kept."""
    found = [msgspec.json.decode(body) for body in bodies]
    hashes = {hash_ for event in found for hash_ in facet_hashes(event)}
    known = {
        facet.hash: msgspec.json.decode(facet.body)
        for facet in facets.list_bodies(tx, hashes=sorted(hashes))
    }
    return [_replace(event, known.__getitem__) for event in found]


def facet_hashes(event: Any) -> list[str]:
    """Return the hashes of the facets of an event as it is kept."""
    found: list[str] = []
    _replace(event, found.append)
    return found


def _replace(value: Any, facet: Callable[[str], Any]) -> Any:
    """Return an event with each hash of a facet replaced by the result of `facet`."""
    if isinstance(value, list):
        return [_replace(item, facet) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: hash_ and facet(hash_) for name, hash_ in item.items()}
        if key in _FACET_MAPS and isinstance(item, dict)
        else _replace(item, facet)
        for key, item in value.items()
    }
