"""Channels of notifications: webhooks, the log, e-mail, and apprise."""

from lineagegraph.outbox.notifications.channels.channel import Channel
from lineagegraph.outbox.notifications.channels.open import open_channels

__all__ = ["Channel", "open_channels"]
