"""Events as they were received since a time."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import facet_hashes
from lineagegraph.store.runs import events, facets
from lineagegraph.store.runs.events import ReceivedEvent

_PAGE = 10_000
IN_FLIGHT = timedelta(minutes=2)
"""How long a transaction may take that notes when it received an event and then commits."""


def list_since(tx: Transaction, after: str) -> Iterator[ReceivedEvent]:
    """Yield all events that were received after a time, the first ones first."""
    after_id = ""
    while found := events.list_received(tx, after=after, after_id=after_id, limit=_PAGE):
        yield from found
        after, after_id = found[-1].received_at, found[-1].id


def used_hashes(bodies: Iterable[str]) -> set[str]:
    """Return the hashes of the facets that events, as they are kept, refer to."""
    return {hash_ for body in bodies for hash_ in facet_hashes(msgspec.json.decode(body))}


def delete_unused(
    tx: Transaction, hashes: Iterable[str], since: Callable[[Transaction], datetime | None]
) -> int:
    """Delete facets that events received since a time do not refer to; return how many went.

    None are deleted if there is no such time any more.
    """
    unused = set(facets.claim_facets(tx, hashes=sorted(hashes)))
    # Read once the facets are locked: an event that has one may make the time earlier.
    if not unused or (start := since(tx)) is None:
        return 0
    after = (start - IN_FLIGHT).isoformat()
    unused -= used_hashes(event.body for event in list_since(tx, after))
    facets.delete_facets(tx, hashes=sorted(unused))
    return len(unused)
