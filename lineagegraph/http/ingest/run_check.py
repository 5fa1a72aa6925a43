"""Which ids of runs in an event are no UUIDs, and which run names itself as its parent."""

from typing import Any

from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.openlineage.run_ids import identify_runs, names_itself

_PARENT = "$.run.facets.parent"


def list_run_faults(event: dict[str, Any]) -> list[FacetReport]:
    """Return the faults of a valid event's ids of runs, which are taken nevertheless."""
    identified, named = identify_runs(event)
    reports = [
        FacetReport(run.path, f"not a UUID: the run has the id {run.id}, and this as external_id")
        for run in named
    ]
    if names_itself(identified):
        message = "a run cannot be its own parent: the reference is left out"
        reports.append(FacetReport(f"{_PARENT}.run.runId", message))
    return reports
