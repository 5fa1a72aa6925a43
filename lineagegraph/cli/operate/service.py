"""The HTTP server, the daemon and Neo4j in the process of `lineagegraph up`."""

import os
import signal
import time
from contextlib import suppress
from types import FrameType

import structlog

from lineagegraph import neo4j_server
from lineagegraph.cli.operate.note import DRAIN, delete_note, write_note
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import GraphFailed, GraphUnreachable, LineagegraphError
from lineagegraph.graph import Graph, answers
from lineagegraph.http import HttpServer
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.settings import Settings

log = structlog.get_logger()
_CHECK_SECONDS = 2.0
_LOOK_SECONDS = 0.1
_DRAIN_SECONDS = 0.5


class Service:
    """The HTTP server and daemon of one process, with the managed Neo4j that they need."""

    def __init__(
        self, graph: Graph, settings: Settings, http: HttpServer | None, daemon: Daemon | None
    ) -> None:
        self._graph = graph
        self._settings = settings
        self._http = http
        self._daemon = daemon
        # Plain: a signal's handler must not take a lock that the main thread may hold.
        self._is_over = False
        self._is_draining = False
        self._drains: tuple[str, ...] = ()

    def start(self) -> bool:
        """Start all parts, and write the note when they are ready; return False after a signal."""
        for signum in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signum, self._hear)
        signal.signal(DRAIN, self._hear_drain)
        if self._http:
            self._http.start()
            # First, as the daemon has Neo4j plan many statements, too.
            self._http.await_ingestion(or_until=lambda: self._is_over)
        if self._is_over:
            self._daemon = None
            return False
        if self._daemon:
            self._daemon.start()
        self._write_note(())
        return True

    def wait(self) -> None:
        """Wait for a signal, and restart the managed Neo4j if it dies."""
        check_at = time.monotonic()
        while not self._is_over:
            if time.monotonic() >= check_at:
                if not self._settings.neo4j_uri:
                    self._keep_server()
                self._settle()
                check_at = time.monotonic() + _CHECK_SECONDS
            if self._is_draining:
                self._drain()
            time.sleep(_DRAIN_SECONDS if self._is_draining else _LOOK_SECONDS)

    def stop(self) -> None:
        """Stop all parts in order: received events are written before the daemon stops."""
        if self._http:
            self._http.stop()
        with suppress(LineagegraphError):
            if self._daemon:
                self._daemon.stop()
        with suppress(OSError):
            delete_note(self._settings)

    def _hear(self, signum: int, frame: FrameType | None) -> None:
        if self._is_over:
            if self._daemon:
                self._daemon.launcher.kill()
            os._exit(128 + signum)
        self._is_over = True

    def _hear_drain(self, signum: int, frame: FrameType | None) -> None:
        self._is_draining = True

    def _drain(self) -> None:
        """Wait for the runs of the daemon; without any, the service is over."""
        with suppress(LineagegraphError):
            jobs = tuple(self._daemon.drain()) if self._daemon else ()
            if jobs != self._drains:
                # The runs must not end early because a full disk takes no note.
                with suppress(OSError):
                    self._write_note(jobs)
                    self._drains = jobs
            self._is_over = self._is_over or not jobs

    def _write_note(self, drains: tuple[str, ...]) -> None:
        write_note(self._settings, self._http.url if self._http else None, drains)

    def _settle(self) -> None:
        """Continue moves of runs that were too large for one transaction."""
        graph = self._graph.with_patience(_CHECK_SECONDS)
        with suppress(LineagegraphError):
            while not self._is_over and graph.write(settle):
                pass

    def _keep_server(self) -> None:
        try:
            self._graph.ping()
        except GraphUnreachable as error:
            log.warning("neo4j_away", action="starting it again", error=str(error))
            if isinstance(error, GraphFailed):
                neo4j_server.stop(self._settings)
            self._start_server()
        except LineagegraphError as error:
            log.warning("neo4j_busy", error=str(error))

    def _start_server(self) -> None:
        try:
            address = neo4j_server.start(self._settings, answers)
            log.info("neo4j_back", bolt=address.bolt)
        except LineagegraphError as error:
            log.warning("neo4j_not_started", error=str(error))
