"""The log as a channel."""

import structlog

from lineagegraph.outbox.notifications.message import Message

log = structlog.get_logger()


class LogChannel:
    """Warns in the log of this process."""

    def send(self, message: Message) -> None:
        """Write one line."""
        log.warning(message.title, notification=message.id, **message.data)
