"""The order of runs from the jobDependencies facet."""

from typing import Any

from lineagegraph.errors import InvalidEvent
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.column_facets import list_maps
from lineagegraph.ingest.names import check_reference
from lineagegraph.ingest.uses import HEARD_OF, REPORTED
from lineagegraph.model.runs.facts import RunFacts, Stamped

FOLLOWS = "follows "
_RULES = ("dependency_type", "sequence_trigger_rule", "status_trigger_rule")


def add_dependencies(batch: Batch, run_id: str, facet: Any, at: str) -> None:
    """Add which runs a run follows, and which ones follow it; a job without a run is left out.

    Source: JobDependenciesRunFacet 1-0-1.
    """
    said = facet if isinstance(facet, dict) else {}
    for entry in list_maps(said.get("upstream")):
        other = _heard_of(batch, entry, at)
        if other and other != run_id:
            _add(batch, run_id, other, entry, at)
    for entry in list_maps(said.get("downstream")):
        other = _heard_of(batch, entry, at)
        if other and other != run_id:
            _add(batch, other, run_id, entry, at)


def _heard_of(batch: Batch, entry: dict[str, Any], at: str) -> str | None:
    try:
        run_id, name = check_reference(entry, "$.run.facets.jobDependencies")
    except InvalidEvent:
        return None
    said = {"name": Stamped(HEARD_OF, at, name)}
    batch.add_run(run_id, RunFacts(heard_at=at, said=said))
    return run_id


def _add(batch: Batch, run_id: str, followed: str, entry: dict[str, Any], at: str) -> None:
    rules = {name: str(entry[name]) for name in _RULES if entry.get(name) is not None}
    batch.add_run(run_id, RunFacts(said={f"{FOLLOWS}{followed}": Stamped(REPORTED, at, rules)}))
