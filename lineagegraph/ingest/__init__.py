"""OpenLineage events in, the graph out: facts extracted, joined with those known, projected."""

from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import StateChange, record
from lineagegraph.ingest.settle import settle

__all__ = ["StateChange", "extract", "record", "settle"]
