"""Events and what follows from them, in one transaction."""

from datetime import datetime, timedelta

from lineagegraph.graph import Transaction
from lineagegraph.ingest import record
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.states import FINAL
from lineagegraph.scheduling.react import NEWS, react
from lineagegraph.scheduling.start import Started


def commit(
    tx: Transaction, batch: Batch, *, news: timedelta = NEWS, now: datetime | None = None
) -> list[Started]:
    """Record a batch of events, and fire the triggers whose conditions it makes true."""
    changes = record(tx, batch, now)
    return react(tx, [c.run_id for c in changes if c.after in FINAL], news=news, now=now)
