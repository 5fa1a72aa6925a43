"""Remove clusters that workers left; a failed removal is retried."""

from datetime import timedelta
from pathlib import Path

import msgspec
import structlog

from lineagegraph.execution.clusters.hooks import Hooks
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.outbox.routes import Occasion
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.typed import convert_value
from lineagegraph.outbox.notifications.outbox import notify
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.private_files import TemporaryFolder, private_folder
from lineagegraph.project.archive import unpack
from lineagegraph.reading.private_values import drop_private, read_private
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.runs import clusters
from lineagegraph.store.runs.clusters import Removal

log = structlog.get_logger()
_LEASE = timedelta(minutes=10)
_TOLD_TRIES = 3
_FIRST, _LONGEST = timedelta(seconds=30), timedelta(hours=1)


def remove_leftover_clusters(graph: Graph, settings: Settings) -> int:
    """Remove clusters of ended workers, and return their number."""
    due = graph.read(clusters.due_removals, now=None)
    return sum(_remove(graph, settings, id_) for id_ in due)


def _remove(graph: Graph, settings: Settings, id_: str) -> bool:
    removal = graph.write(clusters.claim_removal, id=id_, lease=_LEASE, now=None)
    if removal is None:
        return False
    try:
        _destroy(graph, settings, removal)
    except Exception as error:
        log.warning(
            "cluster_not_removed", run=removal.run_id, cluster=removal.name, error=str(error)
        )
        delay = min(_FIRST * 2 ** min(removal.tries - 1, 10), _LONGEST)
        graph.write(_record_failure, settings, removal, str(error), delay)
        return False
    graph.write(clusters.delete_cluster, id=id_)
    drop_private(settings, id_)
    log.info("cluster_removed", run=removal.run_id, cluster=removal.name)
    return True


def _record_failure(
    tx: Transaction, settings: Settings, removal: Removal, error: str, delay: timedelta
) -> None:
    clusters.settle_failed(tx, id=removal.id, error=error, delay=delay, now=None)
    # A daemon with a route may come later; each channel gets it once.
    if removal.tries >= _TOLD_TRIES:
        transition = Transition(
            occasion=Occasion.CLUSTER_LEFT,
            about="cluster",
            id=removal.id,
            namespace=removal.namespace,
            job=removal.batch,
            at=removal.now,
            message=f"{removal.name or 'without a name'}, of run {removal.run_id}: {error}",
        )
        notify(tx, [transition], settings.notify)


def _destroy(graph: Graph, settings: Settings, removal: Removal) -> None:
    private = read_private(settings, removal.id)
    destroy = private.get("destroy", msgspec.json.decode(removal.destroy))
    cluster = Cluster(
        name=removal.name,
        spark=private.get("settings", msgspec.json.decode(removal.settings)),
        destroy=convert_value(destroy, tuple[str, ...] | str | None),
    )
    with TemporaryFolder() as folder:
        code = Path(folder)
        unpack(read_source(graph, settings, removal.source), code)
        logs = settings.home / "logs" / removal.run_id
        private_folder(logs)
        hooks = Hooks(cluster, removal.run_id, removal.batch, code, logs, cwd=removal.root)
        hooks.created = private.get("created", msgspec.json.decode(removal.created))
        hooks.destroy(again=True)
