"""Transports of openlineage-python: Kafka, composite and others."""

from copy import deepcopy
from typing import Any

from lineagegraph.errors import EventRefused, SettingsError
from lineagegraph.outbox.forwarding.transports.confirmed import Confirmed, confirm, message_key
from lineagegraph.outbox.forwarding.transports.http import AT_FAULT
from lineagegraph.outbox.forwarding.transports.transport import SECONDS

# These return before anything was sent, and tell nobody what became of it.
_UNSURE = ("async_http", "datadog")
# These pass over events that openlineage-python did not make, and tell nobody either.
_CHOOSY = ("gcplineage", "amazon_datazone_api", "transform")


class OpenLineageTransport:
    """Emits through a transport of openlineage-python, installed as `lineagegraph[forward]`."""

    def __init__(self, config: dict[str, Any], seconds: float = SECONDS) -> None:
        self._transport = _create(_careful(deepcopy(config), seconds))
        self._confirmed: list[Confirmed] = list(confirm(self._transport))
        self._seconds = seconds

    def send(self, event: dict[str, Any]) -> None:
        """Emit an event and wait for its delivery, if the transport confirms it.

        Raises `EventRefused` if the event is at fault.
        """
        for producer in self._confirmed:
            producer.key = message_key(event)
        try:
            self._transport.emit(event)
        except Exception as error:
            if refusal := _refusal(error):
                raise refusal from error
            raise
        for producer in self._confirmed:
            producer.check(self._seconds)


def _refusal(error: BaseException | None) -> EventRefused | None:
    """Return the refusal of an event that an error tells, also one of a composite transport."""
    while error is not None:
        if isinstance(error, EventRefused):
            return error
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status in AT_FAULT:
            return EventRefused(f"the server returned {status}")
        error = error.__cause__
    return None


def _create(config: dict[str, Any]) -> Any:
    try:
        from openlineage.client.transport import get_default_factory
    except ImportError:
        raise SettingsError(
            "it needs openlineage-python: pip install 'lineagegraph[forward]'"
        ) from None
    kind = config["type"]
    try:
        transport = get_default_factory().create(config)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"its transport {kind} needs {error.name}: pip install 'openlineage-python[{kind}]'"
        ) from None
    except Exception as error:
        raise SettingsError(
            f"its transport {kind} cannot be made: {type(error).__name__}"
        ) from None
    if transport.kind == "noop" != kind:
        raise SettingsError("OPENLINEAGE_DISABLED is set, which would lose every event")
    return transport


def _careful(config: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return a configuration that reports failures, and soon."""
    kind = config["type"]
    if kind in _UNSURE:
        raise SettingsError(f"its transport {kind} does not confirm events: use a url instead")
    if kind in _CHOOSY:
        raise SettingsError(f"its transport {kind} takes only events of openlineage-python's own")
    if kind == "kafka" and isinstance(config.get("config"), dict):
        given = config["config"]
        if not {"message.timeout.ms", "delivery.timeout.ms"} & set(given):
            given["message.timeout.ms"] = int(seconds * 500)
    if kind == "composite":
        config.setdefault("continue_on_failure", False)
        inner = config.get("transports") or []
        for one in inner.values() if isinstance(inner, dict) else inner:
            _careful(one, seconds)
    return config
