"""OpenLineage events over HTTP: found valid, written in groups, acknowledged after the commit."""

from lineagegraph.http.ingest.endpoint import Ingestion

__all__ = ["Ingestion"]
