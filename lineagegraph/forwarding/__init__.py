"""Events sent on to other OpenLineage servers: each at least once, in order, however long it takes.

What is recorded is queued in the same transaction (`ingest.queue_events`); daemons send it.
"""

from lineagegraph.forwarding.forwarder import Forwarder
from lineagegraph.forwarding.secrets import hide_secrets
from lineagegraph.forwarding.targets import forget_target, redrive_target
from lineagegraph.forwarding.transports import open_transport, open_transports

__all__ = [
    "Forwarder",
    "forget_target",
    "hide_secrets",
    "open_transport",
    "open_transports",
    "redrive_target",
]
