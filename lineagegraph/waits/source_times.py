"""Times of sources, from the answers of sensors that freshness terms watch."""

from collections.abc import Iterable

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.freshness.source_time import read_source_time
from lineagegraph.store.freshness.terms import set_source_times
from lineagegraph.waits.poke import Poke


def keep_source_times(tx: Transaction, pokes: Iterable[Poke]) -> None:
    """Store the times that answers have. An answer without one leaves the known time."""
    rows = []
    for poke in pokes:
        if poke.is_true is not None:
            at = read_source_time(msgspec.json.decode(poke.value) if poke.value else None)
            rows.append({"id": poke.id, "at": at and at.isoformat()})
    set_source_times(tx, rows=rows)
