"""Removes the clusters of runs whose workers did not come to it: again and again until it works."""

import tempfile
from datetime import timedelta
from pathlib import Path

import msgspec
import structlog

from lineagegraph.code.archive import unpack
from lineagegraph.execution.clusters.hooks import Hooks
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.outbox.routes import Occasion
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.typed import decode_json
from lineagegraph.outbox.notifications.outbox import notify
from lineagegraph.outbox.notifications.transition import Transition
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.archives import read_source
from lineagegraph.store.runs import clusters
from lineagegraph.store.runs.clusters import Removal

log = structlog.get_logger()
_LEASE = timedelta(minutes=10)
_TOLD_TRIES = 3
_FIRST, _LONGEST = timedelta(seconds=30), timedelta(hours=1)


def remove_left(graph: Graph, settings: Settings) -> int:
    """Remove clusters that nobody holds, and return how many are gone."""
    due = graph.read(clusters.due_removals, now=None)
    return sum(_remove(graph, settings, id_) for id_ in due)


def _remove(graph: Graph, settings: Settings, id_: str) -> bool:
    found = graph.write(clusters.claim_removal, id=id_, lease=_LEASE, now=None)
    if found is None:
        return False
    try:
        _destroy(graph, settings, found)
    except Exception as error:
        log.warning("cluster_not_removed", run=found.run_id, cluster=found.name, error=str(error))
        delay = min(_FIRST * 2 ** min(found.tries - 1, 10), _LONGEST)
        graph.write(_settle, settings, found, str(error), delay)
        return False
    graph.write(clusters.delete_cluster, id=id_)
    log.info("cluster_removed", run=found.run_id, cluster=found.name)
    return True


def _settle(
    tx: Transaction, settings: Settings, found: Removal, error: str, delay: timedelta
) -> None:
    clusters.settle_failed(tx, id=found.id, error=error, delay=delay, now=None)
    if found.tries == _TOLD_TRIES:
        news = Transition(
            occasion=Occasion.CLUSTER_LEFT,
            about="cluster",
            id=found.id,
            namespace=found.namespace,
            job=found.batch,
            at=found.now,
            message=f"{found.name or 'without a name'}, of run {found.run_id}: {error}",
        )
        notify(tx, [news], settings.notify)


def _destroy(graph: Graph, settings: Settings, found: Removal) -> None:
    cluster = Cluster(
        name=found.name,
        spark=msgspec.json.decode(found.settings),
        destroy=decode_json(found.destroy, into=tuple[str, ...] | str | None),
    )
    with tempfile.TemporaryDirectory(prefix="lineagegraph-") as folder:
        code = Path(folder)
        unpack(read_source(graph, settings, found.source), code)
        logs = settings.home / "logs" / found.run_id
        logs.mkdir(parents=True, exist_ok=True)
        hooks = Hooks(cluster, found.run_id, found.batch, code, logs, cwd=found.root)
        hooks.created = msgspec.json.decode(found.created)
        hooks.destroy(again=True)
