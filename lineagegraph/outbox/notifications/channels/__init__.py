"""Where notifications go: webhooks, the log, e-mail, and what apprise knows."""

from lineagegraph.outbox.notifications.channels.channel import Channel
from lineagegraph.outbox.notifications.channels.open import open_channels

__all__ = ["Channel", "open_channels"]
