"""Send the outbox; any number of processes may do it."""

from collections.abc import Mapping
from datetime import datetime

import structlog

from lineagegraph.errors import NotDelivered
from lineagegraph.graph import Graph
from lineagegraph.model.runs.ids import new_id
from lineagegraph.outbox.notifications.channels import Channel
from lineagegraph.outbox.notifications.message import Link, to_message
from lineagegraph.outbox.notifications.patience import Patience
from lineagegraph.secrets import mask_text
from lineagegraph.store.outbox import notifications
from lineagegraph.store.outbox.notifications import ClaimedNotification

log = structlog.get_logger()
_AT_ONCE = 50
_DELETED = 1000
_USUAL = Patience()


class Sender:
    """Send due notifications on their channels, each of which may be asked in its own thread."""

    def __init__(
        self,
        graph: Graph,
        channels: Mapping[str, Channel],
        patience: Patience = _USUAL,
        link: Link | None = None,
        page: str | None = None,
    ) -> None:
        self._graph = graph
        self._channels = channels
        self._patience = patience
        self._link = link
        self._page = page

    @property
    def channels(self) -> list[str]:
        """Return the names of its channels."""
        return sorted(self._channels)

    def send_due(self, now: datetime | None = None) -> int:
        """Send the due notifications and return their number."""
        return sum(self.send_through(name, now) for name in self._channels)

    def tidy(self, now: datetime | None = None) -> None:
        """Give up those of unknown channels after a day, and delete those older than a month."""
        patience = self._patience
        stranded = self._graph.write(
            notifications.settle_stranded,
            known=self.channels,
            age=patience.stranded,
            error="not sent: no daemon has a route of this name",
            now=now,
        )
        if stranded:
            log.error("notifications_stranded", count=stranded)
        self._graph.write(notifications.delete_old, age=patience.kept, limit=_DELETED, now=now)

    def send_through(self, name: str, now: datetime | None = None) -> int:
        """Send on a channel until none is due or one fails: the next would likely fail too."""
        for sent in range(_AT_ONCE):
            claim = new_id()
            found = self._graph.write(
                notifications.claim_notification,
                channel=name,
                claim=claim,
                lease=self._patience.lease,
                now=now,
            )
            if found is None or not self._send(self._channels[name], found, claim, now):
                return sent
        return _AT_ONCE

    def _send(
        self, channel: Channel, found: ClaimedNotification, claim: str, now: datetime | None
    ) -> bool:
        try:
            if self._patience.is_over(found.attempts):
                raise NotDelivered("every process that tried to send it ended first")
            channel.send(to_message(found, self._link, self._page))
        except Exception as error:
            self._note_failure(found, claim, error, now)
            return False
        self._graph.write(notifications.settle_sent, key=found.key, claim=claim, now=now)
        return True

    def _note_failure(
        self, found: ClaimedNotification, claim: str, error: Exception, now: datetime | None
    ) -> None:
        pause = self._patience.after(found.attempts)
        fault = mask_text(f"{type(error).__name__}: {error}")[:500]
        self._graph.write(
            notifications.settle_failed,
            key=found.key,
            claim=claim,
            error=fault,
            pause=pause,
            now=now,
        )
        log.warning("notification_not_sent", id=found.key, error=fault, dead=pause is None)
