"""Pipelines that are pinned to a version, as `lineagegraph rollback` leaves them."""

from lineagegraph.graph import Graph
from lineagegraph.store.pipelines.versions import PinRow, list_all_pins, list_pins

_SHORT = 12


def find_pin(graph: Graph, job_key: str) -> PinRow | None:
    """Return the pin of a pipeline; None if it runs its latest version."""
    return next(iter(graph.read(list_pins, keys=[job_key])), None)


def read_pins(graph: Graph) -> list[PinRow]:
    """Return the pins of all pipelines, by name."""
    return graph.read(list_all_pins)


def describe_pin(pin: PinRow) -> str:
    """Return one line about a pin, with the version that does not run."""
    latest = "" if pin.latest == pin.version else f", not {pin.latest[:_SHORT]}, the latest"
    return (
        f"{pin.fqn} is pinned to version {pin.version[:_SHORT]}{latest}, since "
        f"{pin.at:%Y-%m-%d %H:%M:%S %Z} by {pin.by}: `lineagegraph rollback {pin.fqn} --latest` "
        "releases it"
    )
