"""Jobs as Marquez writes them."""

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from lineagegraph.http.marquez.facet_text import facet_text
from lineagegraph.http.marquez.run_answers import UNKNOWN_TIME, RunAnswer, State, run_answer
from lineagegraph.http.plumbing.answers import AnswerStruct, RawObject, Timestamp, Uuid, about
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.queries.jobs.job_details import JobDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.tag_names import tag_names
from lineagegraph.store.jobs.details import Named
from lineagegraph.triggers.forget_job import RuleChange

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


class TouchedTriggerAnswer(AnswerStruct):
    """A trigger that named a deleted job; one that a definition states is only suspended."""

    name: str
    starts: Annotated[str, about("Full name of the job that it starts.")]
    change: RuleChange


class JobAnswer(AnswerStruct):
    """A job where it is served; `parentHierarchy`, `uuid` and `own` are not Marquez's."""

    id: Annotated[Named, about("Its namespace and full name, as it is served.")]
    type: Annotated[
        Kind, about("STREAM or SERVICE if its producer reports so, BATCH for all others.")
    ]
    name: Annotated[
        str, about("The FQN: all ancestors' simple names and its own, with dots between.")
    ]
    simple_name: Annotated[str, about("Last part of the full name.")]
    parent_job_name: Annotated[str | None, about("Full name of the job above it; null for a root.")]
    parent_job_uuid: Annotated[Uuid | None, about("UUID of the job above it; null for a root.")]
    parent_hierarchy: Annotated[
        list[str], about("The simple names of its ancestors, the topmost first.")
    ]
    created_at: Annotated[
        Timestamp, about("Creation of its first run, or first event about it; 1970 without both.")
    ]
    updated_at: Annotated[
        Timestamp, about("Last change of its newest run, or last event about it.")
    ]
    namespace: Annotated[str, about("Namespace that it is served in.")]
    inputs: Annotated[tuple[Named, ...], about("Visible datasets that it reads.")]
    outputs: Annotated[tuple[Named, ...], about("Visible datasets that it writes.")]
    location: Annotated[str | None, about("URL of its source code; null if not reported.")]
    description: Annotated[
        str | None, about("Description that its producer reports; null without one.")
    ]
    latest_run: Annotated[RunAnswer | None, about("Its newest run; null without runs.")]
    latest_runs: Annotated[
        list[RunAnswer], about("Up to ten, the newest first, without their facets and data.")
    ]
    facets: Annotated[
        Facets, about("Its facets: the latest of each name, from job events and its runs.")
    ]
    current_version: Annotated[
        Uuid | None, about("Active version, or the newest run's; null if unknown.")
    ]
    labels: Annotated[list[str], about("Always empty.")]
    tags: Annotated[list[str], about("Names of its tags, in order.")]
    uuid: Annotated[Uuid, about("Its key as a UUID.")]
    own: Annotated[Named, about("The namespace and name that its producer gives it.")]
    partitions: ByValue = UNSET
    triggers: Annotated[
        list[TouchedTriggerAnswer] | UnsetType,
        about("Only in the answer to its deletion: the triggers that named it."),
    ] = UNSET


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
