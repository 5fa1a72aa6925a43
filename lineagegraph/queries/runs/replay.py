"""Runs at a past time: their facts, replayed from their events up to then."""

from datetime import datetime

from lineagegraph.graph import Transaction
from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract
from lineagegraph.store.lineage.lineage import list_reports_at


def replay(tx: Transaction, runs: set[str], at: datetime) -> Batch:
    """Return the facts that runs had reported by a time."""
    return extract(whole_events(tx, list_reports_at(tx, ids=sorted(runs), at=at)))
