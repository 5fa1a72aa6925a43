"""Tasks on named clusters: each cluster of a run has a process, and so a session, of its own."""

from lineagegraph.execution.clusters.registry import Clusters, ClusterServices, ClusterRecords

__all__ = ["Clusters", "ClusterServices", "ClusterRecords"]
