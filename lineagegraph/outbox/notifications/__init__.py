"""Notifications of runs, firings and freshness: stored in an outbox, sent by any process.

A channel gets each at least once, with an id to detect duplicates. Writers need no channel:
`Sender` and the channels are imported from their own modules.
"""

from lineagegraph.outbox.notifications.failed_attempts import notify_failed_attempts
from lineagegraph.outbox.notifications.given_up import notify_given_up
from lineagegraph.outbox.notifications.outbox import list_taken, notify
from lineagegraph.outbox.notifications.run_states import notify_states
from lineagegraph.outbox.notifications.transition import Transition

__all__ = [
    "Transition",
    "list_taken",
    "notify",
    "notify_failed_attempts",
    "notify_given_up",
    "notify_states",
]
