"""The turn of one process at a target: no other sends meanwhile, so order is kept."""

import time
from datetime import datetime
from typing import Any

import structlog

from lineagegraph.errors import EventRefused
from lineagegraph.graph import Graph, Transaction
from lineagegraph.ingest.archive import whole_events
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.outbox.forwarding.secrets import hide_secrets
from lineagegraph.outbox.forwarding.transports import Transport
from lineagegraph.outbox.notifications.patience import Patience
from lineagegraph.secrets import mask
from lineagegraph.store.outbox import forwards

log = structlog.get_logger()
_AT_ONCE = 100
_LONGEST = 500
_GONE = "the event was deleted before it could be sent"


class Turn:
    """Send queued events until none is left, one fails or half the lease is over."""

    def __init__(
        self,
        graph: Graph,
        target: Forward,
        transport: Transport,
        patience: Patience,
        now: datetime | None,
    ) -> None:
        self._graph = graph
        self._target = target
        self._transport = transport
        self._patience = patience
        self._now = now
        self._until = time.monotonic() + patience.lease.total_seconds() / 2

    def take(self, claim: str, attempts: int) -> int:
        """Send under a claim on the target, and return how many arrived."""
        arrived = 0
        goes_on = True
        while goes_on and time.monotonic() < self._until:
            waiting = self._graph.read(_read_waiting, self._target.name)
            sent, error = self._send_each(waiting)
            arrived += len(sent)
            goes_on = bool(waiting) and self._settle(claim, sent)
            if isinstance(error, EventRefused):
                self._put_aside(claim, waiting[len(sent)][0], error)
            elif error:
                self._pause(claim, error, 1 if arrived else attempts + 1)
                goes_on = False
        return arrived

    def _send_each(
        self, waiting: list[tuple[str, dict[str, Any] | None]]
    ) -> tuple[list[str], Exception | None]:
        """Send in order; return the keys of delivered events, and the error of the next."""
        sent: list[str] = []
        for key, event in waiting:
            if time.monotonic() >= self._until:
                break
            try:
                self._send(event)
            except Exception as error:
                return sent, error
            sent.append(key)
        return sent, None

    def _send(self, event: dict[str, Any] | None) -> None:
        if event is None:
            raise EventRefused(_GONE)
        self._transport.send(mask(event))

    def _settle(self, claim: str, sent: list[str]) -> bool:
        return bool(
            self._graph.write(
                forwards.settle_sent, name=self._target.name, claim=claim, sent=sent, now=self._now
            )
        )

    def _put_aside(self, claim: str, key: str, error: EventRefused) -> None:
        fault = self._describe(error)
        self._graph.write(
            forwards.settle_refused,
            name=self._target.name,
            claim=claim,
            key=key,
            error=fault,
            now=self._now,
        )
        log.error("event_refused", target=self._target.name, error=fault)

    def _pause(self, claim: str, error: Exception, attempts: int) -> None:
        fault = self._describe(error)
        self._graph.write(
            forwards.settle_failed,
            name=self._target.name,
            claim=claim,
            error=fault,
            pause=self._patience.pause_after(attempts),
            now=self._now,
        )
        log.warning("events_not_forwarded", target=self._target.name, error=fault)

    def _describe(self, error: Exception) -> str:
        return hide_secrets(f"{type(error).__name__}: {error}", self._target)[:_LONGEST]


def _read_waiting(tx: Transaction, name: str) -> list[tuple[str, dict[str, Any] | None]]:
    found = forwards.list_waiting(tx, name=name, limit=_AT_ONCE)
    bodies = [one.body for one in found if one.body is not None]
    events = iter(whole_events(tx, bodies))
    return [(one.key, None if one.body is None else next(events)) for one in found]
