"""Runs as Marquez writes them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, get_args

import msgspec
from starlette.requests import Request

from lineagegraph.http.marquez.facet_text import plain_texts
from lineagegraph.http.plumbing.answers import AnswerStruct, RawObject, Timestamp, Uuid, about
from lineagegraph.http.plumbing.mark_answer import RunMarkAnswer, mark_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.runs.ids import uuid_of
from lineagegraph.model.runs.states import RunState
from lineagegraph.queries.runs.facet_facts import describe_extraction
from lineagegraph.queries.runs.run_details import Facets, RunDetail, duration_ms
from lineagegraph.store.jobs.details import RunUseRow

# Marquez's clients take no null for the times of what exists.
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
State = Literal["NEW", "RUNNING", "COMPLETED", "FAILED", "ABORTED"]
_STATES: dict[str, State] = {
    RunState.PENDING: "NEW",
    RunState.WAITING: "NEW",
    RunState.RUNNING: "RUNNING",
    RunState.COMPLETED: "COMPLETED",
    RunState.FRESH_SKIP: "COMPLETED",
    RunState.FAILED: "FAILED",
}


class RunJobAnswer(AnswerStruct):
    """The job of a run."""

    namespace: str
    name: str | None


class VersionIdAnswer(AnswerStruct):
    """A version of a job or dataset."""

    namespace: str
    name: str
    version: Uuid


class UsedVersionAnswer(AnswerStruct):
    """A version of a dataset; null if it is not known which."""

    namespace: str
    name: str
    version: Uuid | None


class DatasetUseAnswer(AnswerStruct):
    """A dataset that a run read or wrote, with its input or output facets."""

    dataset_version_id: UsedVersionAnswer
    facets: Facets


class RunAnswer(AnswerStruct):
    """One run of a job; fields from `lineageIncomplete` on, and `job`, are not Marquez's."""

    id: Annotated[Uuid, about("Id of the run.")]
    created_at: Annotated[
        Timestamp, about("Time at which it was queued or first reported; 1970 if unknown.")
    ]
    updated_at: Annotated[Timestamp, about("Time of its last change of state.")]
    nominal_start_time: Annotated[
        Timestamp | None, about("Start of its data interval; null without one.")
    ]
    nominal_end_time: Annotated[
        Timestamp | None, about("End of its data interval; null without one.")
    ]
    state: Annotated[State, about("Its state in Marquez's words.")]
    started_at: Annotated[Timestamp | None, about("Its start; null before it.")]
    ended_at: Annotated[Timestamp | None, about("Its end; null before it.")]
    duration_ms: Annotated[
        int | None, about("Milliseconds from start to end; null before the end.")
    ]
    args: Annotated[dict[str, str], about("Its parameters as texts; JSON for other types.")]
    job: Annotated[RunJobAnswer, about("Its job.")]
    job_version: Annotated[
        VersionIdAnswer | None, about("Version of the job that it ran; null if unknown.")
    ]
    input_dataset_versions: Annotated[
        list[DatasetUseAnswer], about("Datasets that it read, at these versions.")
    ]
    output_dataset_versions: Annotated[
        list[DatasetUseAnswer], about("Datasets that it wrote, at these versions.")
    ]
    facets: Annotated[Facets, about("Its facets by name.")]
    lineage_incomplete: Annotated[
        str | None,
        about("Why its lineage is incomplete (facet `extractionError`); null if it is complete."),
    ]
    parent_run_id: Annotated[Uuid | None, about("Run above it; null at the top.")]
    partition: Annotated[RawObject | None, about("The part of its data that the run was for.")]
    cost: Annotated[
        RawObject | None,
        about(
            "Spark's share of a pipeline's run: seconds, executor seconds, core seconds, and each "
            "of its applications."
        ),
    ]
    mark: Annotated[
        RunMarkAnswer | None, about("Mark by hand that gave it its state; null without one.")
    ]


class RunFacetsAnswer(AnswerStruct):
    """The facets of a run, or of its job as the run gave them."""

    run_id: Uuid
    facets: Facets


class RunLogAnswer(AnswerStruct):
    """The log of one attempt of a run or task."""

    text: Annotated[str, about("The lines, each with its time; secrets are masked.")]
    attempt: Annotated[int | None, about("The number of the attempt; null without a log.")]
    host: Annotated[str | None, about("The worker's host, if the log is not on this one.")]
    is_whole: Annotated[bool, about("False if a part is left out, or is not on this host.")]


def run_answer(run: RunDetail) -> RunAnswer:
    """Return a run."""
    row = run.row
    created = row.created_at or row.state_at or UNKNOWN_TIME
    return RunAnswer(
        id=row.id,
        created_at=created,
        updated_at=row.state_at or created,
        nominal_start_time=row.nominal_start,
        nominal_end_time=row.nominal_end,
        state=run_state(row.state),
        started_at=row.started_at,
        ended_at=row.ended_at,
        duration_ms=duration_ms(row),
        args=plain_texts(row.params),
        job=RunJobAnswer(run.namespace, row.name),
        job_version=_version(run),
        input_dataset_versions=_uses(run.reads, run.use_facets.inputs, "inputStatistics"),
        output_dataset_versions=_uses(run.writes, run.use_facets.outputs, "outputStatistics"),
        facets=run.facets,
        lineage_incomplete=_incomplete(run.facets),
        parent_run_id=row.parent.id if row.parent else None,
        partition=_raw(row.partition),
        cost=_raw(row.cost),
        mark=mark_answer(row.mark),
    )


def run_state(state: str) -> State:
    """Return the state that Marquez has for one of ours."""
    return _STATES.get(state, "ABORTED")


def own_states(state: str) -> list[str]:
    """Return the states of ours that Marquez has one for."""
    return [own.value for own in RunState if run_state(own) == state]


def read_states(request: Request, name: str) -> list[str]:
    """Return the states of ours that a parameter asks for: repeated, or with commas."""
    texts = ",".join(request.query_params.getlist(name)).upper().split(",")
    asked = {text: own_states(text) for text in texts if text}
    if not all(asked.values()):
        raise RequestRefused(400, f"{name} must be one of {', '.join(get_args(State))}", name)
    return [state for states in asked.values() for state in states]


def _incomplete(facets: Facets) -> str | None:
    body = facets.get("extractionError")
    return describe_extraction(msgspec.json.decode(body)) if body else None


def _version(run: RunDetail) -> VersionIdAnswer | None:
    version, name = uuid_of(run.row.version), run.row.name
    return VersionIdAnswer(run.namespace, name, version) if version and name else None


def _uses(
    uses: Sequence[RunUseRow], said: Mapping[tuple[str, str], Facets], counts: str
) -> list[DatasetUseAnswer]:
    """Return uses; the first of several versions of a dataset has the facets."""
    if not uses:
        return []
    left = dict(said)
    return [_use(use, left.pop((use.namespace, use.name), {}), counts) for use in uses]


def _use(use: RunUseRow, said: Facets, facet: str) -> DatasetUseAnswer:
    counts = {"rowCount": use.row_count, "size": use.size, "fileCount": use.file_count}
    known = {name: count for name, count in counts.items() if count is not None}
    version = UsedVersionAnswer(use.namespace, use.name, uuid_of(use.version))
    counted = {facet: msgspec.Raw(msgspec.json.encode(known))} if known else {}
    return DatasetUseAnswer(version, counted | said)


def _raw(text: str | None) -> msgspec.Raw | None:
    return msgspec.Raw(text.encode()) if text else None
