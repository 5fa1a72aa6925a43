"""The routes that search jobs and datasets by a part of a name, or by words about them."""

from collections import Counter
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.http.marquez.hit_answers import (
    DatasetHitsAnswer,
    JobHitsAnswer,
    dataset_hit,
    highlights,
    job_hit,
)
from lineagegraph.http.marquez.run_answers import UNKNOWN_TIME
from lineagegraph.http.plumbing.answers import AnswerStruct, Count, Timestamp, about
from lineagegraph.http.plumbing.operations import ApiParameter, Name, Reply, get, routes_of, tagged
from lineagegraph.http.plumbing.parameters import one_of, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.queries.search.search import (
    HitKind,
    SearchResult,
    SearchTerms,
    describe_found_datasets,
    describe_found_jobs,
    find_by_part,
)

_LIMIT = 10
_MOST = 10_000
_KINDS = {"": tuple(HitKind), "job": (HitKind.JOB,), "dataset": (HitKind.DATASET,)}
_ORDERS = {"name": False, "update_at": True}
_BETA = "/api/v2beta/search"


class SearchResultAnswer(AnswerStruct):
    """A job or a dataset."""

    type: HitKind
    name: str
    updated_at: Timestamp
    namespace: str
    node_id: str
    found_in: Annotated[
        tuple[str, ...],
        about("Places of the text: the name, tags, sql, documentation, ownership, or schema."),
    ]


class SearchResultsAnswer(AnswerStruct):
    """The jobs and datasets found, and how many there are in all."""

    total_count: Count
    results: list[SearchResultAnswer]


_TEXT = ApiParameter("q", Name, "experiment", "A part of a name, in any case.", required=True)
_WORDS = ApiParameter(
    "q",
    Name,
    "experiment",
    "A part of a name or tag, in any case; or words of SQL, a description, an owner, or columns.",
    required=True,
)
OPERATIONS = tagged(
    "search",
    get(
        "/api/v1/search",
        "getSearch",
        "Jobs and datasets by a part of a name, or by words about them.",
        Reply("The jobs and datasets found, and how many there are in all.", SearchResultsAnswer),
        _WORDS,
        ApiParameter(
            "filter", Literal["JOB", "DATASET", "job", "dataset", ""], "JOB", "Only these."
        ),
        ApiParameter(
            "sort",
            Literal["NAME", "UPDATE_AT", "name", "update_at"],
            "UPDATE_AT",
            "By name, or the last changed first.",
            default="NAME",
        ),
        ApiParameter("limit", Annotated[int, Meta(ge=0, le=_MOST)], 5, default=_LIMIT),
        ApiParameter("namespace", str, "experimentation", "Only jobs and datasets served in it."),
        ApiParameter("before", date, "2036-01-01", "Only those changed before this day."),
        ApiParameter(
            "after", date, "2025-01-01", "Only those changed after the beginning of this day."
        ),
    ),
    get(
        f"{_BETA}/jobs",
        "getSearchJobs",
        "The first ten jobs by a part of a name, with facets.",
        Reply("Jobs, and where the text is in each.", JobHitsAnswer),
        _TEXT,
    ),
    get(
        f"{_BETA}/datasets",
        "getSearchDatasets",
        "The first ten datasets by a part of a name or of a column's.",
        Reply("Datasets, and where the text is in each.", DatasetHitsAnswer),
        _TEXT,
    ),
)


def search_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "getSearch": partial(_search, reads),
        "getSearchJobs": partial(_search_jobs, reads),
        "getSearchDatasets": partial(_search_datasets, reads),
    }
    return routes_of(OPERATIONS, endpoints)


def _search(reads: Reads, request: Request) -> Response:
    wanted = SearchTerms(
        kinds=one_of(request, "filter", _KINDS, ""),
        namespace=request.query_params.get("namespace"),
        after=_day(request, "after"),
        before=_day(request, "before"),
        newest_first=one_of(request, "sort", _ORDERS, "name"),
    )
    limit = whole_number(request, "limit", _LIMIT, _MOST)
    found = find_by_part(reads.graph, _text(request), wanted, reads.inherit)
    counts = Counter((one.kind, one.namespace, one.name) for one in found)
    results = [_result(one, counts[one.kind, one.namespace, one.name] > 1) for one in found[:limit]]
    return answer(SearchResultsAnswer(len(found), results))


def _result(one: SearchResult, has_twin: bool) -> SearchResultAnswer:
    return SearchResultAnswer(
        type=one.kind,
        name=one.name,
        updated_at=one.updated_at or UNKNOWN_TIME,
        namespace=one.namespace,
        node_id=f"{one.node}#{UUID(one.key)}" if has_twin else one.node,
        found_in=one.places,
    )


def _search_jobs(reads: Reads, request: Request) -> Response:
    text = _text(request)
    hits = [job_hit(found) for found in describe_found_jobs(reads.graph, text, reads.inherit)]
    return answer(JobHitsAnswer(hits, [highlights(hit, text) for hit in hits]))


def _search_datasets(reads: Reads, request: Request) -> Response:
    text = _text(request)
    found = describe_found_datasets(reads.graph, text)
    hits = [dataset_hit(one) for one in found]
    marked = [
        highlights(hit, text, [field.name for field in one.row.fields])
        for hit, one in zip(hits, found, strict=True)
    ]
    return answer(DatasetHitsAnswer(hits, marked))


def _text(request: Request) -> str:
    text = request.query_params.get("q", "").strip()
    if not text:
        raise RequestRefused(400, "q must be a part of a name", "q")
    return text


def _day(request: Request, name: str) -> datetime | None:
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise RequestRefused(400, f"{name} must be a day such as 2026-03-02", name) from None
