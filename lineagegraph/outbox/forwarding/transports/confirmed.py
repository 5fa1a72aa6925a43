"""A Kafka producer with delivery checks: openlineage-python only logs failures."""

from collections.abc import Iterator
from typing import Any

from lineagegraph.errors import NotDelivered
from lineagegraph.openlineage.objects import get_object, get_parent


class Confirmed:
    """A wrapper of a transport's producer that records undelivered messages."""

    def __init__(self, producer: Any) -> None:
        self._producer = producer
        self._failed: list[str] = []
        self.key: str | None = None

    def produce(self, *, topic: str, key: str | None, value: bytes, **rest: Any) -> None:
        """Produce a message; one without a key gets that of its event."""
        self._producer.produce(
            topic=topic, key=key or self.key, value=value, on_delivery=self._note
        )

    def flush(self, timeout: float = -1) -> int:
        """Wait for the produced messages."""
        return int(self._producer.flush(timeout))

    def check(self, seconds: float) -> None:
        """Wait for the produced messages; raise `NotDelivered` if one did not arrive."""
        left = self.flush(seconds)
        failed, self._failed = self._failed, []
        if failed or left:
            raise NotDelivered(
                failed[0] if failed else f"Kafka accepted nothing for {seconds:.0f} s"
            )

    def _note(self, error: Any, message: Any) -> None:
        if error is not None:
            self._failed.append(f"Kafka refused it: {error.str()}")


def confirm(transport: Any) -> Iterator[Confirmed]:
    """Put such a producer into every Kafka transport of one, which may be several in one."""
    for inner in getattr(transport, "transports", ()):
        yield from confirm(inner)
    if getattr(transport, "producer", None) is not None:
        transport.producer = Confirmed(transport.producer)
        yield transport.producer


def message_key(event: dict[str, Any]) -> str:
    """Return the key that openlineage-python gives: events of one topmost run stay in order."""
    if "dataset" in event:
        return f"dataset:{_name(event['dataset'])}"
    if "run" not in event:
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
