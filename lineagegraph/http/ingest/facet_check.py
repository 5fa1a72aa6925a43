"""Which facets of an event break their schemas."""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple

import structlog

from lineagegraph.ingest.batch import Batch
from lineagegraph.openlineage.facet_schemas import FacetFault, find_faults
from lineagegraph.openlineage.objects import own_part

log = structlog.get_logger()
_MOST_REMEMBERED = 20_000
_MOST_LOGGED = 1_000
_MOST_REPORTED = 1_000
_PLACES = (("run", "run", "facets"), ("job", "job", "facets"), ("dataset", "dataset", "facets"))
_USES = (
    ("dataset", "inputs", "facets"),
    ("input", "inputs", "inputFacets"),
    ("dataset", "outputs", "facets"),
    ("output", "outputs", "outputFacets"),
)


class FacetReport(NamedTuple):
    """A facet that breaks its schema: the JSON path of the fault in the event, and the fault."""

    path: str
    message: str


class FacetCheck:
    """Checks facets, each body once: verdicts are kept by hash. A kind of fault is logged once."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], tuple[FacetFault, ...]] = OrderedDict()
        self._logged: set[str] = set()
        self._lock = Lock()

    def list_faults(self, event: dict[str, Any], batch: Batch) -> list[FacetReport]:
        """Return the faults of an event's facets, at most 1,000; `batch` has the event's facts."""
        reports = (
            FacetReport(f"{path}.{name}{fault.path}", fault.message)
            for scope, path, facets in _list_facets(event)
            for name, body in facets.items()
            for fault in self._find_faults(scope, name, body, batch)
        )
        return list(islice(reports, _MOST_REPORTED))

    def _find_faults(
        self, scope: str, name: str, body: Any, batch: Batch
    ) -> tuple[FacetFault, ...]:
        if body is None:
            return ()
        key = scope, batch.add_facet(name, body)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        faults = find_faults(scope, name, body)
        for fault in faults:
            self._log_once(scope, name, fault)
        with self._lock:
            self._known[key] = faults
            if len(self._known) > _MOST_REMEMBERED:
                self._known.popitem(last=False)
        return faults

    def _log_once(self, scope: str, name: str, fault: FacetFault) -> None:
        said = f"{scope} {name}{fault.path}"
        if said not in self._logged and len(self._logged) < _MOST_LOGGED:
            self._logged.add(said)
            log.warning("facet_breaks_schema", facet=said, message=fault.message)


def _list_facets(event: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield scope, JSON path and facets of each place of an event that has any."""
    own = own_part(event)
    for scope, member, kind in _PLACES:
        if facets := (own.get(member) or {}).get(kind):
            yield scope, f"$.{member}.{kind}", facets
    for scope, member, kind in _USES:
        for position, dataset in enumerate(own.get(member) or ()):
            if facets := dataset.get(kind):
                yield scope, f"$.{member}[{position}].{kind}", facets
