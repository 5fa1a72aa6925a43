"""The last uses of tokens and sessions, written in the background."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread

import structlog

from lineagegraph.admin import sessions, tokens
from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph

log = structlog.get_logger()
_WRITE_SECONDS = 60.0
_STOP_SECONDS = 2.0


class LastUses:
    """Collects uses, and writes the last of each once a minute; a lost one does no harm."""

    def __init__(self, graph: Graph, idle: timedelta, every: float = _WRITE_SECONDS) -> None:
        self._graph = graph.with_patience(_STOP_SECONDS)
        self._idle = idle
        self._every = every
        self._lock = Lock()
        self._tokens: dict[str, datetime] = {}
        self._sessions: dict[str, datetime] = {}
        self._is_over = Event()

    def note_token(self, name: str) -> None:
        """Note that a token is used now."""
        with self._lock:
            self._tokens[name] = datetime.now(UTC)

    def note_session(self, hash_: str) -> None:
        """Note that a session is used now."""
        with self._lock:
            self._sessions[hash_] = datetime.now(UTC)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Write until the block ends, and once more then."""
        self._is_over.clear()
        thread = Thread(target=self._run, name="last-uses", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            thread.join(_STOP_SECONDS * 5)

    def _run(self) -> None:
        while not self._is_over.wait(self._every):
            self._write()
        self._write()

    def _write(self) -> None:
        with self._lock:
            used, self._tokens = self._tokens, {}
            seen, self._sessions = self._sessions, {}
        try:
            tokens.note_uses(self._graph, used)
            sessions.note_uses(self._graph, seen)
            sessions.delete_ended(self._graph, self._idle)
        except GraphError as error:
            log.debug("last_uses_not_written", error=str(error))
            with self._lock:
                self._tokens = used | self._tokens
                self._sessions = seen | self._sessions
