"""The interface of channels."""

from typing import Protocol

from lineagegraph.outbox.notifications.message import Message

SECONDS = 10.0


class Channel(Protocol):
    """Somewhere that messages go to, one after the other."""

    def send(self, message: Message) -> None:
        """Hand a message over; raise whatever went wrong."""
