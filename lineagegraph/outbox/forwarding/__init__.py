"""Forward events to other OpenLineage servers: each at least once and in order.

Recorded events are queued in the same transaction (`ingest.queue_events`); daemons send them.
"""

from lineagegraph.outbox.forwarding.forwarder import Forwarder
from lineagegraph.outbox.forwarding.secrets import hide_secrets
from lineagegraph.outbox.forwarding.targets import forget_target, redrive_target
from lineagegraph.outbox.forwarding.transports import open_transport, open_transports

__all__ = [
    "Forwarder",
    "forget_target",
    "hide_secrets",
    "open_transport",
    "open_transports",
    "redrive_target",
]
