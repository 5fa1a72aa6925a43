"""Where notifications go: webhooks, the log, e-mail, and what apprise knows."""

from lineagegraph.notifications.channels.channel import Channel
from lineagegraph.notifications.channels.open import open_channels

__all__ = ["Channel", "open_channels"]
