"""The daemon's parser: one daemon of a host reads its definitions when they change."""

from datetime import timedelta
from threading import Event, Thread

import structlog

from lineagegraph.graph import Graph
from lineagegraph.reading.definition_files import this_host
from lineagegraph.reading.parsed_files import SyncResult
from lineagegraph.reading.watch import Watch
from lineagegraph.settings import Settings
from lineagegraph.store.admin import locks

log = structlog.get_logger()


class DefinitionWatcher:
    """Watches the definitions of this host from a thread of its own, unless another daemon does."""

    def __init__(self, graph: Graph, settings: Settings, owner: str) -> None:
        self._graph = graph
        self._name, self._owner = f"definitions {this_host()}", owner
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._over = Event()
        watch = Watch(graph, settings, _log, may_read=self._hold)
        self._thread = Thread(target=watch.run, args=[self._over], name="definitions", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Let another daemon watch; abandon a read under way."""
        self._over.set()
        self._thread.join(seconds)
        self._graph.write(locks.release_lock, name=self._name, owner=self._owner)

    def _hold(self) -> bool:
        held = self._graph.write(
            locks.claim_lock,
            name=self._name,
            owner=self._owner,
            holder=this_host(),
            term=self._lease,
            now=None,
        )
        return held is not None


def _log(result: SyncResult) -> None:
    for one in result.pipelines:
        pinned = {"pinned": one.pinned} if one.pinned else {}
        read = {"pipeline": one.pipeline, "version": one.version, "file": one.file}
        log.info("definition_read", **read, **pinned)
    for name in result.withdrawn:
        log.warning("pipeline_withdrawn", pipeline=name)
    for failure in result.failures:
        log.warning("definition_not_read", fault=failure)
