"""The channels that routes lead to."""

from collections.abc import Iterable

from lineagegraph.errors import SettingsError
from lineagegraph.model.outbox.routes import Route
from lineagegraph.outbox.notifications.channels.apprise import AppriseChannel
from lineagegraph.outbox.notifications.channels.channel import Channel
from lineagegraph.outbox.notifications.channels.log import LogChannel
from lineagegraph.outbox.notifications.channels.mail import MailChannel
from lineagegraph.outbox.notifications.channels.webhook import WebhookChannel
from lineagegraph.outbox.timed_send import TimedSend


def open_channels(routes: Iterable[Route]) -> dict[str, Channel]:
    """Return the channels by name; raise `SettingsError` naming the route of a bad address."""
    return {
        channel: TimedSend(_open(route).send)
        for channel, route in {r.channel: r for r in routes}.items()
    }


def _open(route: Route) -> Channel:
    address = route.to.get_secret_value()
    try:
        match address.partition(":")[0].lower():
            case "log":
                return LogChannel()
            case "mailto":
                return MailChannel(address)
            case "apprise":
                return AppriseChannel(address)
            case _:
                return WebhookChannel(address, route.key)
    except SettingsError as error:
        raise SettingsError(f"setting notify: route {route.channel}: {error}") from None
