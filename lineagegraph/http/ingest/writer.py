"""Events into the graph, many a transaction; one that spoils a transaction fails alone."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import structlog

from lineagegraph.errors import (
    GraphBusy,
    GraphLoginRefused,
    GraphUnreachable,
    InvalidEvent,
    LineagegraphError,
)
from lineagegraph.graph import Graph
from lineagegraph.http.ingest.received import Received
from lineagegraph.http.ingest.waiting import Outcome
from lineagegraph.http.ingest.warm_up import warm_up
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.outbox.routes import Route
from lineagegraph.reactions.commit import commit

log = structlog.get_logger()
AWAY = (GraphUnreachable, GraphLoginRefused)
# How long a client may wait to hear that Neo4j is away.
_PATIENCE_SECONDS = 5.0


class Writer:
    """Writes events, calls `nudge` if they fired a trigger, and counts them."""

    def __init__(
        self, graph: Graph, news: timedelta, nudge: Callable[[], None], routes: Sequence[Route] = ()
    ) -> None:
        self._graph = graph.with_patience(_PATIENCE_SECONDS)
        self._news = news
        self._nudge = nudge
        self._routes = routes
        self.written = 0
        self.refused = 0

    def write(self, events: list[Received]) -> list[Outcome]:
        """Write events, and return the outcome of each.

        If a transaction fails, its halves are tried: all but the faulty event get in.
        """
        try:
            self._commit(events)
        except AWAY as error:
            return [error] * len(events)
        except Exception as error:
            if len(events) > 1:
                return self._write_halves(events)
            self.refused += 1
            return [_blame(error)]
        self.written += len(events)
        return [None] * len(events)

    def warm_up(self) -> LineagegraphError | None:
        """Make the first event as quick as the others; return why Neo4j is away, if it is."""
        try:
            warm_up(self._graph)
        except AWAY as error:
            return error
        except LineagegraphError:
            return None
        return None

    def is_away(self) -> bool:
        """Return whether Neo4j does not answer."""
        try:
            self._graph.ping()
        except AWAY:
            return True
        except LineagegraphError:
            return False
        return False

    def _write_halves(self, events: list[Received]) -> list[Outcome]:
        half = len(events) // 2
        first = self.write(events[:half])
        last = first[-1]
        # What Neo4j cannot do for one it would be asked in vain for the others, again and again.
        if isinstance(last, (*AWAY, GraphBusy)):
            return first + [last] * (len(events) - half)
        return first + self.write(events[half:])

    def _commit(self, events: list[Received]) -> None:
        batch = Batch()
        for event in events:
            batch.join(event.batch)
        if self._graph.write(commit, batch, news=self._news, routes=self._routes, own=False):
            self._nudge()


def _blame(error: Exception) -> LineagegraphError:
    """Return the outcome of an event that cannot be written alone either."""
    if isinstance(error, GraphBusy | InvalidEvent):
        return error
    known = isinstance(error, LineagegraphError)
    log.error("event_not_recorded", error=str(error), exc_info=None if known else error)
    return InvalidEvent(f"cannot be recorded: {error}")
