"""The transports of the targets in the settings."""

from collections.abc import Iterable

from lineagegraph.errors import SettingsError
from lineagegraph.model.outbox.targets import Forward
from lineagegraph.outbox.forwarding.transports.http import HttpTransport
from lineagegraph.outbox.forwarding.transports.openlineage_python import OpenLineageTransport
from lineagegraph.outbox.forwarding.transports.transport import Transport
from lineagegraph.outbox.timed_send import TimedSend


def open_transports(forwards: Iterable[Forward]) -> dict[str, Transport]:
    """Return the transports by name; raise `SettingsError` naming the target of a bad one."""
    return {forward.name: open_transport(forward) for forward in forwards}


def open_transport(forward: Forward) -> Transport:
    """Return the transport of a target."""
    return TimedSend(_open(forward).send)


def _open(forward: Forward) -> Transport:
    try:
        if forward.transport:
            return OpenLineageTransport(forward.transport.get_secret_value())
        headers = {name: value.get_secret_value() for name, value in forward.headers.items()}
        if forward.token:
            headers["authorization"] = f"Bearer {forward.token.get_secret_value()}"
        return HttpTransport(forward.address, headers)
    except SettingsError as error:
        raise SettingsError(f"setting forward: target {forward.name}: {error}") from None
