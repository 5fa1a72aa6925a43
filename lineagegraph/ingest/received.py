"""Events as they were received since a time."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

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


def delete_unused(tx: Transaction, hashes: Iterable[str], since: str) -> int:
    """Delete facets unless an event received after `since` refers to them; return how many went."""
    unused = set(facets.claim_facets(tx, hashes=sorted(hashes)))
    if unused:
        unused -= used_hashes(event.body for event in list_since(tx, since))
    facets.delete_facets(tx, hashes=sorted(unused))
    return len(unused)
