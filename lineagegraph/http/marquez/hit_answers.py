"""Hits of a search, as Marquez's web UI reads them."""

from collections.abc import Iterable
from typing import Annotated

from lineagegraph.http.marquez.job_answers import job_type
from lineagegraph.http.marquez.run_answers import State, run_state
from lineagegraph.http.plumbing.answers import AnswerStruct, about
from lineagegraph.queries.datasets.dataset_details import DatasetDetail
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.queries.search.search import FoundJob

_EVENT_TYPES: dict[State, str] = {
    "NEW": "OTHER",
    "RUNNING": "START",
    "COMPLETED": "COMPLETE",
    "FAILED": "FAIL",
    "ABORTED": "ABORT",
}
_Highlights = list[
    Annotated[dict[str, list[str]], about("Texts with `<em>` around the part, by place.")]
]


class JobHitAnswer(AnswerStruct, rename={"event_type": "eventType", "run_facets": "runFacets"}):
    """A job, and the facets of its latest run; `run_id` is Marquez's spelling."""

    run_id: str | None
    name: str
    namespace: str
    event_type: str | None
    type: str
    facets: Facets
    run_facets: Facets


class JobHitsAnswer(AnswerStruct):
    """Jobs, and where the text is in each."""

    hits: list[JobHitAnswer]
    highlights: _Highlights


class DatasetHitAnswer(AnswerStruct):
    """A dataset."""

    name: str
    namespace: str
    facets: Facets


class DatasetHitsAnswer(AnswerStruct):
    """Datasets, and where the text is in each."""

    hits: list[DatasetHitAnswer]
    highlights: _Highlights


def job_hit(found: FoundJob) -> JobHitAnswer:
    """Return a job with the facets of its latest run."""
    job, run = found.job, found.job.runs[0] if found.job.runs else None
    return JobHitAnswer(
        run_id=run.row.id if run else None,
        name=job.row.name,
        namespace=job.namespace,
        event_type=_EVENT_TYPES[run_state(run.row.state)] if run else None,
        type=job_type(job.facets),
        facets=job.facets,
        run_facets=found.run_facets,
    )


def dataset_hit(dataset: DatasetDetail) -> DatasetHitAnswer:
    """Return a dataset."""
    return DatasetHitAnswer(dataset.row.name, dataset.row.namespace, dataset.facets)


def highlights(
    hit: JobHitAnswer | DatasetHitAnswer, text: str, columns: Iterable[str] = ()
) -> dict[str, list[str]]:
    """Return the texts that contain a part, with `<em>` around it, by place."""
    places = {"name": [hit.name], "namespace": [hit.namespace]}
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
