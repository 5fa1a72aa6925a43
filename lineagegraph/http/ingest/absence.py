"""Whether Neo4j is away, without asking it at every event."""

import time
from collections.abc import Callable

import structlog

from lineagegraph.errors import LineagegraphError

log = structlog.get_logger()
_PROBE_SECONDS = 1.0


class Absence:
    """The time in which Neo4j does not answer; `is_away` asks it, at most once a second."""

    def __init__(self, is_away: Callable[[], bool]) -> None:
        self._is_away = is_away
        self._error: LineagegraphError | None = None
        self._ask_at = 0.0

    def begin(self, error: LineagegraphError) -> None:
        """Note that Neo4j did not answer; while that is known, the next time to ask stays."""
        if not self._error:
            log.warning("neo4j_away", error=str(error))
            self._error = error
            self._ask_at = time.monotonic() + _PROBE_SECONDS

    def lasts(self) -> LineagegraphError | None:
        """Return why Neo4j cannot be used, if it was away and has not come back."""
        if self._error and time.monotonic() >= self._ask_at:
            if self._is_away():
                self._ask_at = time.monotonic() + _PROBE_SECONDS
            else:
                log.info("neo4j_back")
                self._error = None
        return self._error
