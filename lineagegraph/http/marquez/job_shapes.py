"""Jobs as Marquez writes them."""

from typing import Any

from lineagegraph.http.marquez.facet_text import facet_text
from lineagegraph.http.marquez.run_shapes import UNKNOWN_TIME, run_shape
from lineagegraph.http.marquez.tag_names import tag_names
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.jobs.job_details import JobDetail
from lineagegraph.queries.runs.run_details import Facets

_TYPES = {"STREAMING": "STREAM", "SERVICE": "SERVICE"}


def job_shape(job: JobDetail) -> dict[str, Any]:
    """Return a job; `parentHierarchy`, `uuid` and `own` are not Marquez's."""
    row = job.row
    parent = row.ancestors[-1] if row.ancestors else None
    runs = [run_shape(run) for run in job.runs]
    created = job.created_at or UNKNOWN_TIME
    return {
        "id": {"namespace": job.namespace, "name": row.name},
        "type": job_type(job.facets),
        "name": row.name,
        "simpleName": row.simple_name,
        "parentJobName": parent.name if parent else None,
        "parentJobUuid": uuid_of(parent.key) if parent else None,
        "parentHierarchy": [above.simple_name for above in row.ancestors],
        "createdAt": created,
        "updatedAt": job.updated_at or created,
        "namespace": job.namespace,
        "inputs": row.inputs,
        "outputs": row.outputs,
        "location": facet_text(job.facets, "sourceCodeLocation", "url"),
        "description": facet_text(job.facets, "documentation", "description"),
        "latestRun": runs[0] if runs else None,
        "latestRuns": runs,
        "facets": job.facets,
        "currentVersion": uuid_of(row.version),
        "labels": [],
        "tags": tag_names(row.tags, job.facets),
        "uuid": uuid_of(row.key),
        "own": {"namespace": row.namespace, "name": row.own_name},
    }


def job_type(facets: Facets) -> str:
    """Return what Marquez calls the type of a job with some facets."""
    said = facet_text(facets, "jobType", "processingType") or ""
    return _TYPES.get(said.upper(), "BATCH")
