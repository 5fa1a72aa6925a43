"""Events as they were received."""

from datetime import datetime
from typing import Any, NamedTuple

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.claims import without
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.store.lineage.lineage import list_reports_at
from lineagegraph.store.runs import events


class EventPage(NamedTuple):
    """A page of the events in a time span, and their total number."""

    events: list[dict[str, Any]]
    total: int


def list_events(
    tx: Transaction,
    *,
    namespace: str | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
    offset: int = 0,
    limit: int = 100,
    newest_first: bool = True,
    run: str | None = None,
) -> EventPage:
    """Return the received events from `after` (inclusive) to `before` (exclusive).

    With `namespace`, only those whose job or a dataset is in it; with `run`, only those of a run.
    """
    times = {"after": _spell(after), "before": _spell(before)}
    if run is not None:
        of_run = events.list_newest_of_run if newest_first else events.list_oldest_of_run
        found = of_run(tx, run=run, **times, offset=offset, limit=limit)
        return EventPage(whole_events(tx, found), events.count_events_of_run(tx, run=run, **times))
    span = times | {"part": _naming(namespace)}
    list_them = events.list_newest if newest_first else events.list_oldest
    bodies = list_them(tx, **span, offset=offset, limit=limit)
    return EventPage(whole_events(tx, bodies), events.count_events(tx, **span))


def _naming(namespace: str | None) -> str | None:
    """Return the text by which an event names a namespace: events are stored as canonical JSON."""
    return None if namespace is None else canonical_json({"namespace": namespace})[1:-1]


def _spell(time: datetime | None) -> str | None:
    return time.isoformat() if time else None


def replay(tx: Transaction, runs: set[str], at: datetime) -> Batch:
    """Return the facts that runs had reported by a time."""
    reports = list_reports_at(tx, ids=sorted(runs), at=at)
    events_then = whole_events(tx, [report.body for report in reports])
    return extract(
        without(event, report.claims) for event, report in zip(events_then, reports, strict=True)
    )
