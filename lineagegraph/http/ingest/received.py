"""A validated event with its facts, before it waits to be written."""

from dataclasses import dataclass
from typing import Any

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.facet_check import FacetCheck, FacetReport
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract_masked
from lineagegraph.ingest.masking import mask_event
from lineagegraph.model.names.keys import canonical_json


@dataclass(frozen=True, slots=True)
class Received:
    """A valid event, its facts, its facets that break their schemas, and its size."""

    event: dict[str, Any]
    batch: Batch
    reports: list[FacetReport]
    size: int

    @property
    def line(self) -> bytes:
        """The event as one line of JSON."""
        return canonical_json(self.event).encode() + b"\n"


def receive(event: Any, check: FacetCheck, *, strict: bool = False) -> Received:
    """Take an event without its secrets.

    Raises `InvalidEvent` if it is invalid, or if `strict` refuses a facet.
    """
    try:
        event = mask_event(event)
        batch = extract_masked([event])
    except RecursionError:
        raise InvalidEvent("nested too deep") from None
    reports = check.list_faults(event, batch)
    if strict and reports:
        raise InvalidEvent(reports[0].message, reports[0].path)
    return Received(event, batch, reports, batch.size)
