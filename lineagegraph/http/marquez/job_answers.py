"""Jobs as Marquez writes them."""

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from lineagegraph.http.marquez.facet_text import facet_text
from lineagegraph.http.marquez.run_answers import UNKNOWN_TIME, RunAnswer, State, run_answer
from lineagegraph.http.marquez.tag_names import tag_names
from lineagegraph.http.plumbing.answers import AnswerStruct, RawObject, Timestamp, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.jobs.job_details import JobDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.store.jobs.details import Named

Kind = Literal["BATCH", "STREAM", "SERVICE"]
_KINDS: dict[str, Kind] = {"STREAMING": "STREAM", "SERVICE": "SERVICE"}


class LatestOfValueAnswer(AnswerStruct):
    """The latest run for a value of the partition."""

    value: str
    state: State
    latest_run: RunAnswer


ByValue = Annotated[
    list[LatestOfValueAnswer] | UnsetType,
    about("Only in lineage with `groupBy`: the latest run for each value."),
]


class JobAnswer(AnswerStruct):
    """A job where it is served; `parentHierarchy`, `uuid` and `own` are not Marquez's."""

    id: Named
    type: Kind
    name: Annotated[
        str, about("The FQN: all ancestors' simple names and its own, with dots between.")
    ]
    simple_name: str
    parent_job_name: str | None
    parent_job_uuid: Uuid | None
    parent_hierarchy: Annotated[
        list[str], about("The simple names of its ancestors, the topmost first.")
    ]
    created_at: Timestamp
    updated_at: Timestamp
    namespace: str
    inputs: tuple[Named, ...]
    outputs: tuple[Named, ...]
    location: str | None
    description: str | None
    latest_run: RunAnswer | None
    latest_runs: Annotated[
        list[RunAnswer], about("Up to ten, the newest first, without their facets and data.")
    ]
    facets: Facets
    current_version: Uuid | None
    labels: list[str]
    tags: list[str]
    uuid: Uuid
    own: Annotated[Named, about("The namespace and name that its producer gives it.")]
    partitions: ByValue = UNSET


class PartitionAnswer(AnswerStruct):
    """A partition, and the state of the latest run for it."""

    partition: RawObject
    state: State
    latest_run: RunAnswer


def job_answer(
    job: JobDetail, partitions: list[LatestOfValueAnswer] | UnsetType = UNSET
) -> JobAnswer:
    """Return a job."""
    row = job.row
    parent = row.ancestors[-1] if row.ancestors else None
    runs = [run_answer(run) for run in job.runs]
    created = job.created_at or UNKNOWN_TIME
    return JobAnswer(
        id=Named(job.namespace, row.name),
        type=job_type(job.facets),
        name=row.name,
        simple_name=row.simple_name,
        parent_job_name=parent.name if parent else None,
        parent_job_uuid=uuid_of(parent.key) if parent else None,
        parent_hierarchy=[above.simple_name for above in row.ancestors],
        created_at=created,
        updated_at=job.updated_at or created,
        namespace=job.namespace,
        inputs=row.inputs,
        outputs=row.outputs,
        location=facet_text(job.facets, "sourceCodeLocation", "url"),
        description=facet_text(job.facets, "documentation", "description"),
        latest_run=runs[0] if runs else None,
        latest_runs=runs,
        facets=job.facets,
        current_version=uuid_of(row.version),
        labels=[],
        tags=tag_names(row.tags, job.facets),
        uuid=uuid_of(row.key) or row.key,
        own=Named(row.namespace, row.own_name),
        partitions=partitions,
    )


def job_type(facets: Facets) -> Kind:
    """Return the type that Marquez has for a job with some facets."""
    stated = facet_text(facets, "jobType", "processingType") or ""
    return _KINDS.get(stated.upper(), "BATCH")
