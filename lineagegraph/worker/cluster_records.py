"""Remembers in the graph which clusters a run has, before they are there."""

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import Cluster, PipelineVersion
from lineagegraph.model.runs.ids import new_id
from lineagegraph.store.runs import clusters


class ClusterKeeper:
    """Notes the clusters of one worker's run; a daemon removes what it leaves."""

    def __init__(self, graph: Graph, run_id: str, fence: int, version: PipelineVersion) -> None:
        self._graph = graph
        self._run_id = run_id
        self._fence = fence
        self._version = version

    def begin(self, cluster: Cluster) -> str:
        """Note that a cluster is about to be made, and return the note's id."""
        id_ = new_id()
        self._graph.write(
            clusters.merge_cluster,
            id=id_,
            run_id=self._run_id,
            fence=self._fence,
            name=cluster.name,
            namespace=self._version.pipeline.namespace,
            batch=self._version.pipeline.name,
            settings=msgspec.json.encode(cluster.spark).decode(),
            destroy=msgspec.json.encode(cluster.destroy).decode(),
            source=self._version.source_sha256,
            root=self._version.root,
            now=None,
        )
        return id_

    def made(self, id_: str, settings: dict[str, str]) -> None:
        """Note what making it answered."""
        self._graph.write(
            clusters.set_created, id=id_, created=msgspec.json.encode(settings).decode()
        )

    def gone(self, id_: str) -> None:
        """Note that it was removed."""
        self._graph.write(clusters.delete_cluster, id=id_)
