"""Search of jobs and datasets by a part of a name, and by words in their facets and tags."""

import re
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
_MOST = 10_000
_MOST_WORDS = 10
_LONGEST_WORD = 100
# Lucene's standard analyzer takes each Chinese and Japanese character but katakana for a word.
_ALONE = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+")
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class HitKind(Enum):
    """The kinds of results."""

    JOB = "JOB"
    DATASET = "DATASET"


class SearchResult(msgspec.Struct, frozen=True):
    """A job, by FQN, or a dataset, in the namespace that it is served in."""

    kind: HitKind  # job or dataset
    key: str  # its key in the graph
    namespace: str  # namespace that it is served in
    name: str  # its name; the FQN of a job
    updated_at: datetime | None  # its last change; None if unknown
    places: tuple[str, ...]  # places with the text: `name`, `tags`, or a facet's name

    @property
    def node(self) -> str:
        """Its node id: `job:NAMESPACE:NAME` or `dataset:NAMESPACE:NAME`."""
        return f"{self.kind.value.lower()}:{self.namespace}:{self.name}"


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
    """Return all jobs and datasets with a text, by name or newest first.

    The text is a part of a name or of a tag, or words that one facet has: SQL, a description, an
    owner, or the columns.
    """

    def work(tx: Transaction) -> list[SearchResult]:
        terms = _Terms.of(tx, text)
        return [
            one
            for kind in wanted.kinds
            for one in _SEARCHES[kind](tx, terms, inherit)
            if _fits(one, wanted)
        ]

    found = sorted(graph.read(work), key=lambda one: (one.name, one.namespace, one.kind.value))
    if wanted.newest_first:
        found.sort(key=lambda one: one.updated_at or _LONG_AGO, reverse=True)
    return found


def find_nearest(
    graph: Graph, text: str, limit: int, kinds: tuple[HitKind, ...] = tuple(HitKind)
) -> list[SearchResult]:
    """Return the first jobs and datasets with a text: those of this name, then those with it in it.

    A name that is typed whole is found among any number of others.
    """
    found = find_by_part(graph, text, SearchTerms(kinds=kinds), inherit=False)
    named = text.lower()
    found.sort(key=lambda one: (one.name.lower() != named, "name" not in one.places))
    return found[:limit]


def describe_found_jobs(graph: Graph, text: str, inherit: bool) -> list[FoundJob]:
    """Return the first jobs with a text in their names, with facets."""

    def work(tx: Transaction) -> list[FoundJob]:
        hits = search.list_jobs(tx, text=text.lower(), also=[])
        keys = [hit.key for hit in hits][:_MOST_DESCRIBED]
        jobs = describe_jobs(tx, keys, inherit, runs=1)
        runs = describe_runs(tx, [run.row.id for job in jobs for run in job.runs], inherit)
        said = {run.row.id: run.facets for run in runs}
        return [FoundJob(job, said[job.runs[0].row.id] if job.runs else {}) for job in jobs]

    return graph.read(work)


def describe_found_datasets(graph: Graph, text: str) -> list[DatasetDetail]:
    """Return the first datasets with a text in their names or their columns'."""

    def work(tx: Transaction) -> list[DatasetDetail]:
        hits = search.list_datasets(tx, text=text.lower(), also=[], columns=True)
        return describe_datasets(tx, [hit.key for hit in hits][:_MOST_DESCRIBED])

    return graph.read(work)


class _Terms(msgspec.Struct, frozen=True):
    """A lower-case text, and the places beside names that have it, by key."""

    text: str
    places: dict[str, set[str]]

    @classmethod
    def of(cls, tx: Transaction, text: str) -> "_Terms":
        rows = search.list_tagged(tx, text=text.lower(), limit=_MOST)
        if words := lucene_words(text):
            rows = [*rows, *search.list_described(tx, words=words, limit=_MOST)]
        places: dict[str, set[str]] = {}
        for row in rows:
            places.setdefault(row.key, set()).add(row.place)
        return cls(text.lower(), places)

    def of_hit(self, hit: SearchRow) -> tuple[str, ...]:
        """Return the places of the text in a hit; one found by no other is found by its name."""
        found = self.places.get(hit.key, set())
        in_name = self.text in hit.name.lower() or not found
        return ("name", *sorted(found)) if in_name else tuple(sorted(found))


def lucene_words(text: str) -> str:
    """Return a query of Lucene for all words of a text, each as a part of a word; empty for none.

    Only letters and digits reach Lucene, so nothing in the text is read as its syntax.
    """
    words = _WORD.findall(text.lower())[:_MOST_WORDS]
    return " AND ".join(f"*{word[:_LONGEST_WORD]}*" for word in words)


def _jobs(tx: Transaction, terms: _Terms, inherit: bool) -> list[SearchResult]:
    hits = search.list_jobs(tx, text=terms.text, also=list(terms.places))
    served = [served_namespace(hit.namespace, hit.top_namespace, inherit) for hit in hits]
    return [_found(HitKind.JOB, *one, terms) for one in zip(hits, served, strict=True)]


def _datasets(tx: Transaction, terms: _Terms, inherit: bool) -> list[SearchResult]:
    hits = search.list_datasets(tx, text=terms.text, also=list(terms.places), columns=False)
    return [_found(HitKind.DATASET, hit, hit.namespace, terms) for hit in hits]


def _found(kind: HitKind, hit: SearchRow, namespace: str, terms: _Terms) -> SearchResult:
    return SearchResult(kind, hit.key, namespace, hit.name, hit.updated_at, terms.of_hit(hit))


def _fits(one: SearchResult, wanted: SearchTerms) -> bool:
    at = one.updated_at
    return (
        wanted.namespace in (None, one.namespace)
        and (wanted.after is None or (at is not None and at > wanted.after))
        and (wanted.before is None or (at is not None and at < wanted.before))
    )


_SEARCHES: dict[HitKind, Callable[[Transaction, _Terms, bool], list[SearchResult]]] = {
    HitKind.JOB: _jobs,
    HitKind.DATASET: _datasets,
}
