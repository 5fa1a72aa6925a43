"""Faults of an event's runs that are taken: ids that are no UUIDs, and parents below their runs."""

from collections.abc import Collection
from typing import Any

from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.ingest.batch import Batch
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


def list_cycles(batch: Batch, on_cycle: Collection[str]) -> list[FacetReport]:
    """Return the parents that an event gave to runs above these parents, once it is recorded."""
    return [
        FacetReport(
            f"{_PARENT}.run.runId" if parent.rank else f"{_PARENT}.root.run.runId",
            f"a cycle of parents: the run {id_} is above its parent; all of the cycle count as "
            "runs without a parent",
        )
        for id_, facts in sorted(batch.runs.items())
        if id_ in on_cycle and (parent := facts.said.get("parent"))
    ]
