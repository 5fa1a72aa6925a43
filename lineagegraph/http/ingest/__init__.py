"""OpenLineage events over HTTP: found valid, written in groups, acknowledged after the commit."""

from lineagegraph.http.ingest.endpoint import Ingestion
from lineagegraph.http.ingest.event_list import event_list

__all__ = ["Ingestion", "event_list"]
