"""A validated event with its facts, before it waits to be written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.facet_check import FacetCheck, FacetReport
from lineagegraph.http.ingest.name_check import list_name_faults
from lineagegraph.http.ingest.run_check import list_run_faults
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.extract import extract_masked
from lineagegraph.ingest.masking import mask_event
from lineagegraph.model.names.keys import canonical_json


@dataclass(frozen=True, slots=True)
class Received:
    """A valid event with its author, its facts and claims, and the faults that are taken."""

    event: dict[str, Any]
    batch: Batch
    reports: list[FacetReport]
    size: int
    author: str | None = None  # name of the token that sent it
    claims: tuple[str, ...] = ()  # JSON paths of the parts that are no facts

    @property
    def line(self) -> bytes:
        """The event as one line of JSON, in an envelope if it has an author."""
        line: dict[str, Any] = self.event
        if self.author is not None:
            line = {"author": self.author, "claims": list(self.claims), "event": self.event}
        return canonical_json(line).encode() + b"\n"

    def claiming(self, claims: Sequence[str]) -> "Received":
        """Return this event with the parts at these JSON paths as claims."""
        if not claims:
            return self
        batch = extract_masked([self.event], author=self.author, claims=claims)
        return replace(self, batch=batch, claims=tuple(claims))


def receive(
    event: Any, check: FacetCheck, *, strict: bool = False, author: str | None = None
) -> Received:
    """Take an event without its secrets.

    Raises `InvalidEvent` if it is invalid, or if `strict` refuses a facet or the id of a run.
    """
    try:
        event = mask_event(event)
        batch = extract_masked([event], author=author)
    except RecursionError:
        raise InvalidEvent("nested too deep") from None
    reports = [
        *list_run_faults(event),
        *list_name_faults(event),
        *check.list_faults(event, batch),
    ]
    if strict and reports:
        raise InvalidEvent(_first_of(reports), reports[0].path)
    return Received(event, batch, reports, batch.size, author)


def _first_of(reports: Sequence[FacetReport]) -> str:
    more = f" (and {len(reports) - 1} more faults)" if reports[1:] else ""
    return reports[0].message + more


def receive_line(value: Any, check: FacetCheck) -> Received:
    """Take a decoded `Received.line`; raise `InvalidEvent` if it is none."""
    if not (isinstance(value, dict) and value.keys() == {"author", "claims", "event"}):
        return receive(value, check)
    return receive(value["event"], check, author=value["author"]).claiming(value["claims"])
