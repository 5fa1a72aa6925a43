"""Transports to targets: HTTP, or a transport of openlineage-python."""

from lineagegraph.outbox.forwarding.transports.open import open_transport, open_transports
from lineagegraph.outbox.forwarding.transports.transport import Transport

__all__ = ["Transport", "open_transport", "open_transports"]
