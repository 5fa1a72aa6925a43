"""Events that were just recorded, queued for the targets that they are forwarded to."""

from lineagegraph.graph import Transaction
from lineagegraph.ingest.batch import Batch
from lineagegraph.store.outbox import forwards

_LAST = ("COMPLETE", "FAIL", "ABORT")


def queue_events(tx: Transaction, batch: Batch, *, own: bool) -> None:
    """Queue the events that the transaction recorded first, in the order of their times.

    `own` events are those of runs that we execute, which every target takes.
    """
    ordered = sorted(
        (batch.events[id_] for id_ in batch.received),
        key=lambda row: (row["event_time"], row["event_type"] in _LAST, row["id"]),
    )
    rows = [
        {"id": row["id"], "namespace": row["namespace"], "position": position}
        for position, row in enumerate(ordered)
    ]
    forwards.merge_forwardings(tx, rows=rows, own=own)
