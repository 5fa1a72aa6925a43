"""Events into the graph, many a transaction; one that spoils a transaction fails alone."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta

import structlog

from lineagegraph.errors import (
    CommitUnknown,
    GraphBusy,
    GraphLoginRefused,
    GraphUnreachable,
    InvalidEvent,
    LineagegraphError,
)
from lineagegraph.graph import Graph
from lineagegraph.http.ingest.name_check import list_crowded
from lineagegraph.http.ingest.pulse import Pulse
from lineagegraph.http.ingest.received import Received
from lineagegraph.http.ingest.rehearsal import rehearse_events, rehearse_triggers
from lineagegraph.http.ingest.run_check import list_cycles
from lineagegraph.http.ingest.waiting import Outcome
from lineagegraph.ingest.batch import Batch
from lineagegraph.model.outbox.routes import Route
from lineagegraph.reactions.commit import commit
from lineagegraph.store.triggers.catalog import count_triggers
from lineagegraph.triggers.start import Started

log = structlog.get_logger()
AWAY = (GraphUnreachable, GraphLoginRefused)
# How long a client may wait to hear that Neo4j is away.
_PATIENCE_SECONDS = 5.0
_LONGEST_SECONDS = 60.0


class Writer:
    """Writes events, calls `nudge` if they fired a trigger, and counts them."""

    def __init__(
        self,
        graph: Graph,
        max_event_age: timedelta,
        nudge: Callable[[], None],
        routes: Sequence[Route] = (),
    ) -> None:
        self._graph = graph.with_patience(_PATIENCE_SECONDS)
        self._max_event_age = max_event_age
        self._nudge = nudge
        self._routes = routes
        self._began_at: float | None = None
        self._pulse = Pulse(self._graph.ping)
        self.written = 0
        self.refused = 0

    def stalled_seconds(self, least: float) -> float:
        """Return how long a transaction waits for a Neo4j that hangs, at least so many; else 0.

        One that only works long is none, up to `_LONGEST_SECONDS`.
        """
        began_at = self._began_at
        seconds = 0.0 if began_at is None else time.monotonic() - began_at
        if seconds < least or (seconds < _LONGEST_SECONDS and self._pulse.beats()):
            return 0.0
        return seconds

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
        # The text of an event is in its last part.
        self.written += sum(bool(event.batch.events) for event in events)
        return [None] * len(events)

    def plan_events(self) -> LineagegraphError | None:
        """Make the first event as quick as the others; return why Neo4j is away, if it is."""
        try:
            with self._timed():
                rehearse_events(self._graph)
        except AWAY as error:
            return error
        except LineagegraphError:
            return None
        return None

    def plan_triggers(self) -> None:
        """Make the first firing as quick as the others, while events are written already."""
        with suppress(LineagegraphError):
            rehearse_triggers(self._graph)

    def has_triggers(self) -> bool:
        """Return whether there is a trigger that an event may fire, as far as Neo4j tells."""
        with suppress(LineagegraphError):
            return self._graph.read(count_triggers, namespace=None) > 0
        return False

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
        with self._timed():
            try:
                has_fired = self._record(batch)
            except CommitUnknown:
                # Recorded again, events change nothing: their senders are spared a 503.
                has_fired = self._record(batch)
        if has_fired:
            self._nudge()
        for event in events:
            event.reports.extend(list_cycles(event.batch, batch.on_cycle))
            event.reports.extend(list_crowded(event.event, batch.crowded))

    def _record(self, batch: Batch) -> list[Started]:
        return self._graph.write(
            commit, batch, max_event_age=self._max_event_age, routes=self._routes, own=False
        )

    @contextmanager
    def _timed(self) -> Iterator[None]:
        self._began_at = time.monotonic()
        try:
            yield
        finally:
            self._began_at = None


def _blame(error: Exception) -> LineagegraphError:
    """Return the outcome of an event that cannot be written alone either."""
    if isinstance(error, GraphBusy | InvalidEvent):
        return error
    known = isinstance(error, LineagegraphError)
    log.error("event_not_recorded", error=str(error), exc_info=None if known else error)
    return InvalidEvent(f"cannot be recorded: {error}")
