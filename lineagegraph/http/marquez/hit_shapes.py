"""What a search finds, as Marquez's web UI reads it."""

from collections.abc import Iterable
from typing import Any

from lineagegraph.http.marquez.job_shapes import job_type
from lineagegraph.http.marquez.run_shapes import run_state
from lineagegraph.queries.datasets.dataset_details import DatasetDetail
from lineagegraph.queries.search.search import FoundJob

_EVENT_TYPES = {
    "NEW": "OTHER",
    "RUNNING": "START",
    "COMPLETED": "COMPLETE",
    "FAILED": "FAIL",
    "ABORTED": "ABORT",
}


def job_hit(found: FoundJob) -> dict[str, Any]:
    """Return a job with what its latest run said."""
    job, run = found.job, found.job.runs[0] if found.job.runs else None
    return {
        "run_id": run.row.id if run else None,
        "name": job.row.name,
        "namespace": job.namespace,
        "eventType": _EVENT_TYPES[run_state(run.row.state)] if run else None,
        "type": job_type(job.facets),
        "facets": job.facets,
        "runFacets": found.run_facets,
    }


def dataset_hit(dataset: DatasetDetail) -> dict[str, Any]:
    """Return a dataset."""
    return {
        "name": dataset.row.name,
        "namespace": dataset.row.namespace,
        "facets": dataset.facets,
    }


def highlights(hit: dict[str, Any], text: str, columns: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return where a text is found, in `<em>`, by the name of the place."""
    places = {"name": [hit["name"]], "namespace": [hit["namespace"]]}
    places["facets.schema.fields.name"] = list(columns)
    marked = {
        place: [_mark(one, text) for one in texts if text.lower() in one.lower()]
        for place, texts in places.items()
    }
    return {place: texts for place, texts in marked.items() if texts}


def _mark(text: str, part: str) -> str:
    # The small letters of some characters are more than one, and then places do not agree.
    at = text.lower().find(part.lower())
    end = at + len(part)
    return f"{text[:at]}<em>{text[at:end]}</em>{text[end:]}"
