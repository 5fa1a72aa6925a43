"""How events get to a target: by HTTP, or by what openlineage-python knows."""

from lineagegraph.outbox.forwarding.transports.open import open_transport, open_transports
from lineagegraph.outbox.forwarding.transports.transport import Transport

__all__ = ["Transport", "open_transport", "open_transports"]
