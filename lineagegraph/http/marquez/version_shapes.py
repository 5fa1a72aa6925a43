"""Versions of datasets and of jobs as Marquez writes them."""

from collections.abc import Iterable
from typing import Any

from lineagegraph.http.marquez.dataset_shapes import dataset_type, fields_shape
from lineagegraph.http.marquez.facet_text import facet_text
from lineagegraph.http.marquez.run_shapes import UNKNOWN_TIME, run_shape
from lineagegraph.http.marquez.tag_names import tag_names
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.dataset_versions import DatasetVersionDetail
from lineagegraph.queries.versions.job_versions import JobVersionDetail
from lineagegraph.store.jobs.details import RunUseRow


def dataset_version_shape(version: DatasetVersionDetail) -> dict[str, Any]:
    """Return what a run wrote of a dataset; `externalVersion` and `written` are not Marquez's."""
    row, facets = version.row, version.facets
    uuid, created = uuid_of(row.key), row.created_at or UNKNOWN_TIME
    return {
        "id": {"namespace": row.namespace, "name": row.name, "version": uuid},
        "type": dataset_type(facets),
        "name": row.name,
        "physicalName": row.name,
        "createdAt": created,
        "lastModifiedAt": created,
        "version": uuid,
        "namespace": row.namespace,
        "sourceName": facet_text(facets, "dataSource", "name") or "default",
        "fields": fields_shape(version.fields, version.facets),
        "tags": tag_names(row.tags, facets),
        "lifecycleState": facet_text(facets, "lifecycleStateChange", "lifecycleStateChange"),
        "description": facet_text(facets, "documentation", "description"),
        "currentSchemaVersion": uuid_of(row.schema),
        "createdByRun": run_shape(version.run) if version.run else None,
        "facets": facets,
        "externalVersion": row.version,
        "written": row.is_written,
    }


def job_version_shape(version: JobVersionDetail) -> dict[str, Any]:
    """Return a version of a job; its data are those of its newest run."""
    job, run = version.job, version.run
    uuid = uuid_of(version.row.version)
    return {
        "id": {"namespace": job.namespace, "name": job.row.name, "version": uuid},
        "name": job.row.name,
        "createdAt": version.row.created_at or UNKNOWN_TIME,
        "version": uuid,
        "namespace": job.namespace,
        "location": facet_text(version.facets, "sourceCodeLocation", "url"),
        "inputs": _names(run.reads) if run else [],
        "outputs": _names(run.writes) if run else [],
        "latestRun": run_shape(run) if run else None,
    }


def _names(uses: Iterable[RunUseRow]) -> list[dict[str, str]]:
    names = dict.fromkeys((use.namespace, use.name) for use in uses)
    return [{"namespace": namespace, "name": name} for namespace, name in names]
