"""A short summary of one job or dataset."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.typed import decode_json
from lineagegraph.model.verdicts import QualityVerdict
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_datasets
from lineagegraph.queries.datasets.datasets_at import datasets_at
from lineagegraph.queries.jobs.job_details import JobDetail, describe_jobs
from lineagegraph.queries.jobs.jobs_at import jobs_at
from lineagegraph.queries.owner_names import owners_in
from lineagegraph.queries.reaching_tags import describe_reaching
from lineagegraph.queries.runs.run_details import Facets
from lineagegraph.store.datasets.assertions import AssertionRow, list_assertions
from lineagegraph.store.jobs.details import FieldTagRow
from lineagegraph.store.lineage.tag_flow import list_reached
from lineagegraph.text import duration, format_age, format_local

Line = tuple[str, str]
_MOST_VERDICTS = 20


class Details(msgspec.Struct, frozen=True):
    """A job or dataset, with a name and a text for each known fact.

    `column_tags` has the column and the tag of each.
    """

    key: str
    is_job: bool
    lines: tuple[Line, ...]
    tags: tuple[str, ...] = ()
    column_tags: tuple[FieldTagRow, ...] = ()


class _Documentation(msgspec.Struct):
    description: str = ""


def read_details(graph: Graph, key: str, at: datetime | None = None, zone: str = "UTC") -> Details:
    """Return the facts about the job or dataset of a key, now or at a time; times are in a zone."""
    return graph.read(find_details, key, at, ZoneInfo(zone))


def find_details(
    tx: Transaction, key: str, at: datetime | None = None, zone: tzinfo = UTC
) -> Details:
    """Return the facts of `read_details`, in a transaction."""
    jobs = describe_jobs(tx, [key], inherit=False, runs=1)
    if jobs:
        (job,) = jobs if at is None else jobs_at(tx, jobs, at, inherit=False)
        return Details(key, True, tuple(_job_lines(job, zone)), job.row.tags)
    datasets = describe_datasets(tx, [key])
    if not datasets:
        raise NotFound("it is no longer in the graph: refresh")
    (dataset,) = datasets if at is None else datasets_at(tx, datasets, at)
    if at is not None:
        return Details(key, False, tuple(_dataset_lines(dataset, zone)))
    reached = (describe_reaching(one) for one in list_reached(tx, key=key))
    quality = _quality(list_assertions(tx, keys=[key]), zone)
    lines = (*_dataset_lines(dataset, zone), *reached, *quality)
    return Details(key, False, lines, dataset.row.tags, dataset.row.field_tags)


def _job_lines(job: JobDetail, zone: tzinfo) -> Iterator[Line]:
    yield "name", job.row.name
    yield "namespace", job.row.namespace
    yield "kind", job.row.kind or "job"
    for run in job.runs[:1]:
        yield "state", run.row.state
        yield "last run", run.row.id
        yield "started", _time(run.row.started_at, zone)
        took = duration(run.row.started_at, run.row.ended_at)
        if took is not None and run.row.ended_at:
            yield "took", format_age(took.total_seconds())
    yield from _said(job.facets)
    yield from _tags(job.row.tags)


def _dataset_lines(dataset: DatasetDetail, zone: tzinfo) -> Iterator[Line]:
    yield "name", dataset.row.name
    yield "namespace", dataset.row.namespace
    yield "kind", "dataset"
    yield "written", _time(dataset.row.written_at, zone)
    yield "columns", str(len(dataset.row.fields))
    yield from _said(dataset.facets)
    yield from _tags(dataset.row.tags)


def _quality(assertions: Iterable[AssertionRow], zone: tzinfo) -> Iterator[Line]:
    """Yield a line for each verdict, the worst first: the rest of many are left out."""
    rows = sorted(assertions, key=lambda one: (-QualityVerdict(one.verdict).rank, one.name))
    for one in rows[:_MOST_VERDICTS]:
        tested = f"{one.name} ({one.column})" if one.column else one.name
        yield one.verdict, f"{tested} at {_time(one.at, zone)}"
    if len(rows) > _MOST_VERDICTS:
        yield "assertions", f"{len(rows) - _MOST_VERDICTS} more"


def _said(facets: Facets) -> Iterator[Line]:
    if owners := owners_in(facets):
        yield "owner", ", ".join(owners)
    if description := _described(facets):
        yield "description", description


def _described(facets: Facets) -> str:
    try:
        return decode_json(
            bytes(facets.get("documentation", b"{}")), into=_Documentation
        ).description
    except msgspec.DecodeError:
        return ""


def _tags(tags: tuple[str, ...]) -> Iterator[Line]:
    if tags:
        yield "tags", ", ".join(tags)


def _time(at: datetime | None, zone: tzinfo) -> str:
    return format_local(at, zone) if at else "never"
