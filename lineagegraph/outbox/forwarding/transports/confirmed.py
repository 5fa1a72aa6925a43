"""A Kafka producer with delivery checks: openlineage-python only logs failures."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.errors import EventRefused, LineagegraphError, NotDelivered
from lineagegraph.openlineage.objects import get_object, get_parent


class Confirmed:
    """A wrapper of a transport's producer that records undelivered messages."""

    def __init__(self, producer: Any) -> None:
        self._producer = producer
        self._failed: list[LineagegraphError] = []
        self.key: str | None = None

    def produce(self, *, topic: str, key: str | None, value: bytes, **rest: Any) -> None:
        """Produce a message; one without a key gets that of its event.

        Raises `EventRefused` if it is larger than the producer takes.
        """
        try:
            self._producer.produce(
                topic=topic, key=key or self.key, value=value, on_delivery=self._note
            )
        except Exception as error:
            found = error.args[0] if error.args else None
            if _is_too_large(found):
                raise _fault(found) from error
            raise

    def flush(self, timeout: float = -1) -> int:
        """Wait for the produced messages."""
        return int(self._producer.flush(timeout))

    def check(self, seconds: float) -> None:
        """Wait for the produced messages.

        Raises `NotDelivered` if one did not arrive, or `EventRefused` if it is too large.
        """
        left = self.flush(seconds)
        failed, self._failed = self._failed, []
        if failed or left:
            raise (
                failed[0] if failed else NotDelivered(f"Kafka accepted nothing for {seconds:.0f} s")
            )

    def _note(self, error: Any, message: Any) -> None:
        if error is not None:
            self._failed.append(_fault(error))


def _fault(error: Any) -> LineagegraphError:
    kind = EventRefused if _is_too_large(error) else NotDelivered
    return kind(f"Kafka refused it: {error.str()}")


def _is_too_large(error: Any) -> bool:
    """Return whether an error of Kafka is about the size of a message, which stays as it is."""
    return hasattr(error, "name") and error.name() == "MSG_SIZE_TOO_LARGE"


def confirm(transport: Any) -> Iterator[Confirmed]:
    """Put such a producer into every Kafka transport of one, which may be several in one."""
    for inner in getattr(transport, "transports", ()):
        yield from confirm(inner)
    if getattr(transport, "producer", None) is not None:
        transport.producer = Confirmed(transport.producer)
        yield transport.producer


def message_key(event: dict[str, Any]) -> str:
    """Return the key that openlineage-python gives: events of one topmost run stay in order."""
    if event.get("job") is None:
        return f"dataset:{_name(event['dataset'])}"
    if event.get("run") is None:
        return f"job:{_name(event['job'])}"
    parent = get_parent(event)
    root = get_object(parent, "root")
    return f"run:{_name(_job(root) or _job(parent) or event['job'])}"


def _job(mention: dict[str, Any]) -> dict[str, Any]:
    """Return the job beside a run, empty if it is no job, as the facet may be invalid."""
    job = get_object(mention, "job")
    return job if job.keys() >= {"namespace", "name"} else {}


def _name(found: dict[str, Any]) -> str:
    return f"{found['namespace']}/{found['name']}"
