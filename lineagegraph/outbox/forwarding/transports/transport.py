"""The interface of transports."""

from typing import Any, Protocol

SECONDS = 30.0


class Transport(Protocol):
    """Somewhere that events go to, one after the other."""

    def send(self, event: dict[str, Any]) -> None:
        """Return once it arrived; raise `EventRefused` or whatever went wrong."""
