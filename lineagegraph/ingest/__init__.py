"""OpenLineage events in, the graph out: facts are extracted, joined with what is known, projected."""

from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import StateChange, record

__all__ = ["StateChange", "extract", "record"]
