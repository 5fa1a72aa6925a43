"""An event as it is kept: whole, with its facets by hash."""

from typing import Any

from lineagegraph.ingest.batch import Batch
from lineagegraph.model.canonical import canonical_json, text_hash
from lineagegraph.openlineage import AnyEvent, RunEvent
from lineagegraph.openlineage.decode import to_utc

_FACET_MAPS = ("facets", "inputFacets", "outputFacets")


def event_row(batch: Batch, event: AnyEvent, body: dict[str, Any]) -> dict[str, Any]:
    """Return an event's row; its id is the hash of its canonical form, so a duplicate is one."""
    text = canonical_json(_by_hash(batch, body))
    return {
        "id": text_hash(text),
        "event_time": to_utc(event.event_time).isoformat(),
        "event_type": event.event_type if isinstance(event, RunEvent) else None,
        "run_id": str(event.run.run_id) if isinstance(event, RunEvent) else None,
        "body": text,
    }


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
