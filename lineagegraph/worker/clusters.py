"""Clusters of a run: their records in the graph, and the processes that serve them."""

import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.execution.clusters import ClusterServices
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.model.pipelines.definition import Cluster, PipelineVersion
from lineagegraph.model.runs.ids import new_id
from lineagegraph.private_files import open_private
from lineagegraph.process_environment.handover import handing_over
from lineagegraph.process_environment.modules import module_command
from lineagegraph.reading.private_values import drop_private, keep_private
from lineagegraph.secrets import mask
from lineagegraph.settings import Settings
from lineagegraph.store.runs import clusters
from lineagegraph.worker.run_claim import RunClaim


class GraphClusterRecords:
    """Records a run's clusters before they exist; a daemon removes those that a worker leaves."""

    def __init__(self, run: RunClaim, version: PipelineVersion) -> None:
        self._graph = run.graph
        self._run = run
        self._version = version

    def begin(self, cluster: Cluster) -> str:
        """Record that a cluster is about to be created, and return the record's id."""
        id_ = new_id()
        private = {"settings": cluster.spark, "destroy": cluster.destroy}
        keep_private(self._run.settings, id_, private)
        self._graph.write(
            clusters.merge_cluster,
            id=id_,
            run_id=self._run.id,
            fence=self._run.fence,
            name=cluster.name,
            namespace=self._version.pipeline.namespace,
            batch=self._version.pipeline.name,
            settings=_masked(cluster.spark),
            destroy=_masked(cluster.destroy),
            source=self._version.source_sha256,
            root=self._version.root,
            now=None,
        )
        return id_

    def made(self, id_: str, settings: dict[str, str]) -> None:
        """Record the Spark settings that its creation returned."""
        keep_private(self._run.settings, id_, {"created": settings})
        self._graph.write(clusters.set_created, id=id_, created=_masked(settings))

    def gone(self, id_: str) -> None:
        """Record that it was removed."""
        self._graph.write(clusters.delete_cluster, id=id_)
        drop_private(self._run.settings, id_)


def _masked(value: Any) -> str:
    return msgspec.json.encode(mask(value)).decode()


def cluster_services(run: RunClaim, version: PipelineVersion, logs: Path) -> ClusterServices:
    """Return the services by which a run's tasks use clusters and publish tables."""
    return ClusterServices(
        start=partial(start_cluster, run.settings, logs),
        records=GraphClusterRecords(run, version),
        may_publish=partial(run.graph.write, assert_lease, run.id, run.fence),
    )


def start_cluster(settings: Settings, logs: Path, name: str) -> "subprocess.Popen[bytes]":
    """Start the process of a cluster; its own output goes into the cluster's log."""
    command = module_command("lineagegraph.worker.cluster_worker", name)
    log = logs / f"cluster@{name}.log"
    with open_private(log, "ab") as output, handing_over(settings) as given:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            env=given.environment,
            pass_fds=given.descriptors,
        )
