"""All other services, through apprise."""

from typing import Any

from lineagegraph.errors import NotDelivered, SettingsError
from lineagegraph.outbox.notifications.message import Message


class AppriseChannel:
    """Hands messages to apprise, which is installed as `lineagegraph[apprise]`."""

    def __init__(self, address: str) -> None:
        try:
            import apprise
        except ImportError:
            raise SettingsError(
                "a route to apprise: needs it: pip install 'lineagegraph[apprise]'"
            ) from None
        self._services: Any = apprise.Apprise()
        if not self._services.add(address.partition(":")[2]):
            raise SettingsError("apprise knows no service with the address of the route")

    def send(self, message: Message) -> None:
        """Send a message; raise `NotDelivered` if apprise failed."""
        try:
            is_sent = self._services.notify(title=message.title, body=message.text)
        except Exception as error:
            # Its message may have the address, in which each service has its secrets elsewhere.
            raise NotDelivered(f"apprise could not deliver it: {type(error).__name__}") from None
        if not is_sent:
            raise NotDelivered("apprise could not deliver it")
