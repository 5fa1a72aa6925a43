"""How events get to a target: by HTTP, or by what openlineage-python knows."""

from lineagegraph.forwarding.transports.open import open_transport, open_transports
from lineagegraph.forwarding.transports.transport import Transport

__all__ = ["Transport", "open_transport", "open_transports"]
