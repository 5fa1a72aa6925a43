"""Versions of datasets and of jobs as Marquez writes them."""

from collections.abc import Iterable
from typing import Annotated

from lineagegraph.http.marquez.dataset_answers import (
    DatasetType,
    FieldAnswer,
    dataset_type,
    field_answers,
)
from lineagegraph.http.marquez.facet_text import facet_text
from lineagegraph.http.marquez.run_answers import (
    UNKNOWN_TIME,
    RunAnswer,
    VersionIdAnswer,
    run_answer,
)
from lineagegraph.http.marquez.tag_names import tag_names
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.dataset_versions import DatasetVersionDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.versions.job_versions import JobVersionDetail
from lineagegraph.store.jobs.details import Named, RunUseRow


class DatasetVersionAnswer(AnswerStruct):
    """A written version of a dataset; `externalVersion` and `written` are not Marquez's."""

    id: VersionIdAnswer
    type: DatasetType
    name: str
    physical_name: str
    created_at: Timestamp
    last_modified_at: Timestamp
    version: Uuid
    namespace: str
    source_name: str
    fields: list[FieldAnswer]
    tags: list[str]
    lifecycle_state: str | None
    description: str | None
    current_schema_version: Uuid | None
    created_by_run: RunAnswer | None
    facets: Facets
    external_version: Annotated[str | None, about("The producer's name of the version.")]
    written: Annotated[bool, about("Whether the run that writes it is complete.")]


class JobVersionAnswer(AnswerStruct):
    """A version of a job."""

    id: VersionIdAnswer
    name: str
    created_at: Timestamp
    version: Uuid
    namespace: str
    location: str | None
    inputs: list[Named]
    outputs: list[Named]
    latest_run: RunAnswer | None


def dataset_version_answer(version: DatasetVersionDetail) -> DatasetVersionAnswer:
    """Return a version of a dataset."""
    row, facets = version.row, version.facets
    uuid, created = uuid_of(row.key) or row.key, row.created_at or UNKNOWN_TIME
    return DatasetVersionAnswer(
        id=VersionIdAnswer(row.namespace, row.name, uuid),
        type=dataset_type(facets),
        name=row.name,
        physical_name=row.name,
        created_at=created,
        last_modified_at=created,
        version=uuid,
        namespace=row.namespace,
        source_name=facet_text(facets, "dataSource", "name") or "default",
        fields=field_answers(version.fields, version.facets),
        tags=tag_names(row.tags, facets),
        lifecycle_state=facet_text(facets, "lifecycleStateChange", "lifecycleStateChange"),
        description=facet_text(facets, "documentation", "description"),
        current_schema_version=uuid_of(row.schema),
        created_by_run=run_answer(version.run) if version.run else None,
        facets=facets,
        external_version=row.version,
        written=row.is_written,
    )


def job_version_answer(version: JobVersionDetail) -> JobVersionAnswer:
    """Return a version of a job; its data are those of its newest run."""
    job, run = version.job, version.run
    uuid = uuid_of(version.row.version) or version.row.version
    return JobVersionAnswer(
        id=VersionIdAnswer(job.namespace, job.row.name, uuid),
        name=job.row.name,
        created_at=version.row.created_at or UNKNOWN_TIME,
        version=uuid,
        namespace=job.namespace,
        location=facet_text(version.facets, "sourceCodeLocation", "url"),
        inputs=_names(run.reads) if run else [],
        outputs=_names(run.writes) if run else [],
        latest_run=run_answer(run) if run else None,
    )


def _names(uses: Iterable[RunUseRow]) -> list[Named]:
    names = dict.fromkeys((use.namespace, use.name) for use in uses)
    return [Named(namespace, name) for namespace, name in names]
