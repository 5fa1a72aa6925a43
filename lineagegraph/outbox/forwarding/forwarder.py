"""Send queued events to the targets of the settings; any number of processes may do it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from lineagegraph.graph import Graph
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.forwarding.targets import forget_unseen_target
from lineagegraph.outbox.forwarding.transports import open_transports
from lineagegraph.outbox.forwarding.turn import Turn
from lineagegraph.outbox.notifications.patience import Patience
from lineagegraph.store.outbox import forwards

log = structlog.get_logger()
_LASTING = Patience(
    attempts=None,
    pause=timedelta(seconds=1),
    longest=timedelta(minutes=1),
    stranded=timedelta(days=7),
)
_PART = 5_000


class Forwarder:
    """Forwards to its targets, each of which may be asked in its own thread."""

    def __init__(
        self,
        graph: Graph,
        targets: Sequence[Forward],
        most: int,
        patience: Patience = _LASTING,
    ) -> None:
        self._graph = graph
        self._targets = targets
        self._most = most
        self._patience = patience
        self._transports = open_transports(targets)

    def register(self, now: datetime | None = None) -> None:
        """Let all recorded events be queued for the targets from now on."""
        rows = [
            {"name": one.name, "send": one.send, "namespaces": one.namespace_pattern}
            for one in sorted(self._targets, key=lambda one: one.name)
        ]
        self._graph.write(forwards.merge_targets, rows=rows, now=now)

    def send_due(self, now: datetime | None = None) -> int:
        """Send queued events and return the number that arrived."""
        return sum(self.send_to(target, now) for target in self._targets)

    def tidy(self, now: datetime | None = None, *, may_forget: bool = True) -> None:
        """Keep known targets alive, forget unused ones, and drop events beyond the limit.

        As many refused events are kept as may wait. Without `may_forget` other daemons may not have
        had the time to keep theirs alive.
        """
        self.register(now)
        age = self._patience.stranded
        for name in self._graph.read(forwards.list_unseen, age=age, now=now) if may_forget else ():
            if forget_unseen_target(self._graph, name, age, now):
                log.error("forward_target_forgotten", target=name, unseen=str(age))
        for waits in (True, False):
            self._drop(waits=waits)

    def _drop(self, *, waits: bool) -> None:
        surplus = self._graph.read(forwards.count_forwardings, waits=waits) - self._most
        while surplus > 0:
            limit = min(surplus, _PART)
            dropped = self._graph.write(forwards.delete_oldest, waits=waits, limit=limit)
            log.error("events_not_forwarded", dropped=dropped, most=self._most, waited=waits)
            surplus -= _PART

    def send_to(self, target: Forward, now: datetime | None = None) -> int:
        """Send the queued events of a target, and return the number that arrived."""
        claim = new_id()
        taken = self._graph.write(
            forwards.claim_target,
            name=target.name,
            claim=claim,
            lease=self._patience.lease,
            longest=self._patience.longest,
            now=now,
        )
        if taken is None:
            return 0
        try:
            turn = Turn(self._graph, target, self._transports[target.name], self._patience, now)
            return turn.take(claim, taken.attempts)
        finally:
            self._graph.write(forwards.release_target, name=target.name, claim=claim)
