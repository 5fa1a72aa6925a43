"""Tasks on named clusters: each cluster of a run has a process, and so a session, of its own."""

from lineagegraph.execution.clusters.registry import ClusterRecords, Clusters, ClusterServices

__all__ = ["ClusterRecords", "ClusterServices", "Clusters"]
