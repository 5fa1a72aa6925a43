"""News of what went wrong: written into an outbox with it, and sent by whoever comes first.

A channel gets each at least once, with an id by which it can drop doubles. Those who only write
need no channel: `Sender` and the channels are imported from their own modules.
"""

from lineagegraph.notifications.ended import notify_ended
from lineagegraph.notifications.given_up import notify_given_up
from lineagegraph.notifications.outbox import notify
from lineagegraph.notifications.transition import Transition

__all__ = ["Transition", "notify", "notify_ended", "notify_given_up"]
