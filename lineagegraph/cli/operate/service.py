"""The processes of `lineagegraph up`, and the note by which other commands find them."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import msgspec
import psutil
import structlog

from lineagegraph import neo4j_server
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import GraphFailed, GraphUnreachable, LineagegraphError
from lineagegraph.graph import Graph, answers
from lineagegraph.http import HttpServer
from lineagegraph.ingest.finish_moves import settle
from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import private_folder, write_private
from lineagegraph.settings import Settings

log = structlog.get_logger()
_CHECK_SECONDS = 2.0
_LOOK_SECONDS = 0.1
_DRAIN_SECONDS = 0.5
_DRAIN = signal.SIGUSR2


class Note(msgspec.Struct, frozen=True):
    """The note of a running `up`: its process, start time (a pid may be reused) and addresses.

    `drains` are the jobs of the runs that it lets end before it stops.
    """

    pid: int
    started: float
    http: str | None
    drains: tuple[str, ...] = ()


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

    def start(self) -> None:
        """Start all parts and write the note."""
        if self._http:
            self._http.start()
        if self._daemon:
            self._daemon.start()
        self._write_note(())
        for signum in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signum, self._hear)
        signal.signal(_DRAIN, self._hear_drain)

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
        _note_path(self._settings).unlink(missing_ok=True)

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
                self._write_note(jobs)
                self._drains = jobs
            self._is_over = self._is_over or not jobs

    def _write_note(self, drains: tuple[str, ...]) -> None:
        me = psutil.Process()
        url = self._http.url if self._http else None
        note = Note(me.pid, me.create_time(), url, drains)
        write_private(_note_path(self._settings), msgspec.json.encode(note))

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


def find_service(settings: Settings) -> Note | None:
    """Return the note of the `up` that is running on this home, if any."""
    try:
        note = decode_json(_note_path(settings).read_bytes(), into=Note)
        process = psutil.Process(note.pid)
        # A killed process that nobody has waited for is still listed.
        is_zombie = process.status() == psutil.STATUS_ZOMBIE
        alive = process.create_time() == note.started and not is_zombie
    except (OSError, msgspec.DecodeError, psutil.Error):
        return None
    return note if alive else None


def drain_service(
    settings: Settings, note: Note, seconds: float, tell: Callable[[tuple[str, ...]], None]
) -> bool:
    """Ask an `up` to stop after its runs; return whether it did within `seconds`.

    `tell` gets the jobs of the runs that it waits for, whenever these change.
    """
    deadline, told = time.monotonic() + seconds, note.drains
    with suppress(psutil.Error):
        process = psutil.Process(note.pid)
        process.send_signal(_DRAIN)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            now = find_service(settings)
            if now and now.drains != told:
                told = now.drains
                tell(told)
            time.sleep(_DRAIN_SECONDS)
    return True


def end_service(note: Note, seconds: float) -> None:
    """Ask an `up` to stop and wait for it; kill it after `seconds`."""
    with suppress(psutil.Error):
        process = psutil.Process(note.pid)
        process.terminate()
        with suppress(psutil.TimeoutExpired):
            process.wait(seconds)
            return
        process.kill()
        time.sleep(0.1)


def _note_path(settings: Settings) -> Path:
    return private_folder(settings.home) / "up.json"
