"""OpenLineage events in, the graph out: facts extracted, joined with those known, projected."""

from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.record import StateChange, record
from lineagegraph.ingest.settle import settle

__all__ = ["StateChange", "extract", "record", "settle", "whole_events"]
