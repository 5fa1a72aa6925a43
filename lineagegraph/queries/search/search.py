"""Search of jobs and datasets by a part of a name, ignoring case."""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum

import msgspec

from lineagegraph.graph import Graph, Transaction
from lineagegraph.queries.datasets.dataset_details import DatasetDetail, describe_datasets
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.jobs.job_details import JobDetail, describe_jobs
from lineagegraph.queries.runs.run_details import Facets, describe_runs
from lineagegraph.store.jobs import search
from lineagegraph.store.jobs.search import SearchRow

_MOST_DESCRIBED = 10
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class HitKind(Enum):
    """The kinds of results."""

    JOB = "JOB"
    DATASET = "DATASET"


class SearchResult(msgspec.Struct, frozen=True):
    """A job, by FQN, or a dataset, in the namespace that it is served in."""

    kind: HitKind
    key: str
    namespace: str
    name: str
    updated_at: datetime | None


class SearchTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of a search beside the text; the times are those of the last change."""

    kinds: tuple[HitKind, ...] = tuple(HitKind)
    namespace: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    newest_first: bool = False


class FoundJob(msgspec.Struct, frozen=True):
    """A job with the facets of its newest run."""

    job: JobDetail
    run_facets: Facets


def find_by_part(graph: Graph, text: str, wanted: SearchTerms, inherit: bool) -> list[SearchResult]:
    """Return all jobs and datasets with a text in their names, by name or newest first."""

    def work(tx: Transaction) -> list[SearchResult]:
        return [
            one
            for kind in wanted.kinds
            for one in _SEARCHES[kind](tx, text.lower(), inherit)
            if _fits(one, wanted)
        ]

    found = sorted(graph.read(work), key=lambda one: (one.name, one.namespace, one.kind.value))
    if wanted.newest_first:
        found.sort(key=lambda one: one.updated_at or _LONG_AGO, reverse=True)
    return found


def describe_found_jobs(graph: Graph, text: str, inherit: bool) -> list[FoundJob]:
    """Return the first jobs with a text in their names, with facets."""

    def work(tx: Transaction) -> list[FoundJob]:
        keys = [hit.key for hit in search.list_jobs(tx, text=text.lower())][:_MOST_DESCRIBED]
        jobs = describe_jobs(tx, keys, inherit, runs=1)
        runs = describe_runs(tx, [run.row.id for job in jobs for run in job.runs], inherit)
        said = {run.row.id: run.facets for run in runs}
        return [FoundJob(job, said[job.runs[0].row.id] if job.runs else {}) for job in jobs]

    return graph.read(work)


def describe_found_datasets(graph: Graph, text: str) -> list[DatasetDetail]:
    """Return the first datasets with a text in their names or their columns'."""

    def work(tx: Transaction) -> list[DatasetDetail]:
        hits = search.list_datasets(tx, text=text.lower(), columns=True)
        return describe_datasets(tx, [hit.key for hit in hits][:_MOST_DESCRIBED])

    return graph.read(work)


def _jobs(tx: Transaction, text: str, inherit: bool) -> list[SearchResult]:
    hits = search.list_jobs(tx, text=text)
    served = [served_namespace(hit.namespace, hit.top_namespace, inherit) for hit in hits]
    return [_found(HitKind.JOB, hit, space) for hit, space in zip(hits, served, strict=True)]


def _datasets(tx: Transaction, text: str, inherit: bool) -> list[SearchResult]:
    hits = search.list_datasets(tx, text=text, columns=False)
    return [_found(HitKind.DATASET, hit, hit.namespace) for hit in hits]


def _found(kind: HitKind, hit: SearchRow, namespace: str) -> SearchResult:
    return SearchResult(kind, hit.key, namespace, hit.name, hit.updated_at)


def _fits(one: SearchResult, wanted: SearchTerms) -> bool:
    at = one.updated_at
    return (
        wanted.namespace in (None, one.namespace)
        and (wanted.after is None or (at is not None and at > wanted.after))
        and (wanted.before is None or (at is not None and at < wanted.before))
    )


_SEARCHES: dict[HitKind, Callable[[Transaction, str, bool], list[SearchResult]]] = {
    HitKind.JOB: _jobs,
    HitKind.DATASET: _datasets,
}
