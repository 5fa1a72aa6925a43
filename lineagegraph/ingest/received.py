"""Events as they were received since a time."""

from collections.abc import Iterator
from datetime import timedelta

from lineagegraph.graph import Transaction
from lineagegraph.store import events
from lineagegraph.store.events import ReceivedEvent

_PAGE = 10_000
IN_FLIGHT = timedelta(minutes=2)
"""How long a transaction may take that notes when it received an event and then commits."""


def list_since(tx: Transaction, after: str) -> Iterator[ReceivedEvent]:
    """Yield all events that were received after a time, the first ones first."""
    after_id = ""
    while found := events.list_received(tx, after=after, after_id=after_id, limit=_PAGE):
        yield from found
        after, after_id = found[-1].received_at, found[-1].id
