"""Faults of an event's runs that are taken: ids that are no UUIDs, and parents that are none."""

from collections.abc import Collection, Iterator
from typing import Any

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.facet_check import FacetReport
from lineagegraph.ingest.batch import Batch
from lineagegraph.ingest.names import check_reference
from lineagegraph.openlineage.objects import get_object
from lineagegraph.openlineage.run_ids import identify_runs, names_itself

_PARENT = "$.run.facets.parent"
_ROOT = f"{_PARENT}.root"


def list_run_faults(event: dict[str, Any]) -> list[FacetReport]:
    """Return the faults of a valid event's references to runs, which are taken nevertheless."""
    identified, named = identify_runs(event)
    reports = [
        FacetReport(run.path, f"not a UUID: the run has the id {run.id}, and this as external_id")
        for run in named
    ]
    if names_itself(identified):
        message = "a run cannot be its own parent: the reference is left out"
        reports.append(FacetReport(f"{_PARENT}.run.runId", message))
    return [*reports, *_list_no_references(identified)]


def _list_no_references(event: dict[str, Any]) -> Iterator[FacetReport]:
    """Yield the faults of a parent and a root that are none."""
    facets = get_object(get_object(event, "run"), "facets")
    said = get_object(facets, "parent")
    if said.get("_deleted") is True:
        return
    for facet, path in ((facets.get("parent"), _PARENT), (said.get("root"), _ROOT)):
        try:
            if facet:
                check_reference(facet, path)
        except InvalidEvent as error:
            fault = str(error).removeprefix(f"{error.path}: ")
            yield FacetReport(error.path, f"{fault}: the reference is left out")


def list_cycles(batch: Batch, on_cycle: Collection[str]) -> list[FacetReport]:
    """Return the parents that an event gave to runs above these parents, once it is recorded."""
    return [
        FacetReport(
            f"{_PARENT if parent.rank else _ROOT}.run.runId",
            f"a cycle of parents: the run {id_} is above its parent; all of the cycle count as "
            "runs without a parent",
        )
        for id_, facts in sorted(batch.runs.items())
        if id_ in on_cycle and (parent := facts.said.get("parent"))
    ]
