"""OpenLineage events in, the graph out: facts extracted, joined with those known, projected."""

from lineagegraph.ingest.archive import whole_events
from lineagegraph.ingest.extract import extract
from lineagegraph.ingest.forward import queue_events
from lineagegraph.ingest.record import NO_NEWS, StateChange, record
from lineagegraph.ingest.settle import settle

__all__ = ["NO_NEWS", "StateChange", "extract", "queue_events", "record", "settle", "whole_events"]
