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
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.lineage.dataset_versions import DatasetVersionDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.tag_names import tag_names
from lineagegraph.queries.versions.job_versions import JobVersionDetail
from lineagegraph.store.jobs.details import Named, RunUseRow


class DatasetVersionAnswer(AnswerStruct):
    """A version of a dataset; `externalVersion` and `written` are not Marquez's."""

    id: Annotated[VersionIdAnswer, about("Its dataset and version.")]
    type: Annotated[DatasetType, about("STREAM for a stream or topic, DB_TABLE for all others.")]
    name: Annotated[str, about("Name of the dataset.")]
    physical_name: Annotated[str, about("The same name.")]
    created_at: Annotated[Timestamp, about("Time of the write; 1970 if unknown.")]
    last_modified_at: Annotated[Timestamp, about("The same time.")]
    version: Annotated[Uuid, about("UUID of the version.")]
    namespace: Annotated[str, about("Namespace of the dataset.")]
    source_name: Annotated[
        str, about("Source that the version's producer reports; `default` without one.")
    ]
    fields: Annotated[list[FieldAnswer], about("Its columns.")]
    tags: Annotated[list[str], about("Names of the dataset's tags, in order.")]
    lifecycle_state: Annotated[
        str | None,
        about("Change of the dataset's life cycle, such as CREATE or DROP; null without one."),
    ]
    description: Annotated[
        str | None, about("Description that the run reported; null without one.")
    ]
    current_schema_version: Annotated[
        Uuid | None, about("Hash of its columns as a UUID; null if none were reported.")
    ]
    created_by_run: Annotated[RunAnswer | None, about("Run that wrote it; null if unknown.")]
    facets: Annotated[Facets, about("Facets that the run reported, by name.")]
    external_version: Annotated[str | None, about("The producer's name of the version.")]
    written: Annotated[
        bool, about("Whether the run that writes it is complete; true without a run.")
    ]


class JobVersionAnswer(AnswerStruct):
    """A version of a job."""

    id: Annotated[VersionIdAnswer, about("Its job and version.")]
    name: Annotated[str, about("Full name of the job.")]
    created_at: Annotated[
        Timestamp, about("Time at which it was first stored or run; 1970 if unknown.")
    ]
    version: Annotated[Uuid, about("UUID of the version.")]
    namespace: Annotated[str, about("Namespace that the job is served in.")]
    location: Annotated[str | None, about("URL of the job's source code; null if not reported.")]
    inputs: Annotated[list[Named], about("Datasets that its newest run read.")]
    outputs: Annotated[list[Named], about("Datasets that its newest run wrote.")]
    latest_run: Annotated[RunAnswer | None, about("Its newest run; null without runs.")]


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
