"""Jobs and datasets by a part of a name."""

from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore.search import (
    Found,
    Kind,
    Wanted,
    describe_found_datasets,
    describe_found_jobs,
    find_by_part,
)
from lineagegraph.http.marquez.hit_shapes import dataset_hit, highlights, job_hit
from lineagegraph.http.marquez.run_shapes import UNKNOWN_TIME
from lineagegraph.http.plumbing.parameters import one_of, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused

_LIMIT = 10
_MOST = 10_000
_KINDS = {"": tuple(Kind), "job": (Kind.JOB,), "dataset": (Kind.DATASET,)}
_ORDERS = {"name": False, "update_at": True}


def search_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of searches."""
    beta = "/api/v2beta/search"
    return [
        RawRoute("/api/v1/search", partial(_search, reads), methods=["GET"]),
        RawRoute(f"{beta}/jobs", partial(_search_jobs, reads), methods=["GET"]),
        RawRoute(f"{beta}/datasets", partial(_search_datasets, reads), methods=["GET"]),
    ]


def _search(reads: Reads, request: Request) -> Response:
    wanted = Wanted(
        kinds=one_of(request, "filter", _KINDS, ""),
        namespace=request.query_params.get("namespace"),
        after=_day(request, "after"),
        before=_day(request, "before"),
        newest_first=one_of(request, "sort", _ORDERS, "name"),
    )
    limit = whole_number(request, "limit", _LIMIT, _MOST)
    found = find_by_part(reads.graph, _text(request), wanted, reads.inherit)
    counts = Counter((one.kind, one.namespace, one.name) for one in found)
    results = [_shape(one, counts[one.kind, one.namespace, one.name] > 1) for one in found[:limit]]
    return answer({"totalCount": len(found), "results": results})


def _shape(one: Found, has_twin: bool) -> dict[str, Any]:
    node = f"{one.kind.value.lower()}:{one.namespace}:{one.name}"
    return {
        "type": one.kind.value,
        "name": one.name,
        "updatedAt": one.updated_at or UNKNOWN_TIME,
        "namespace": one.namespace,
        "nodeId": f"{node}#{UUID(one.key)}" if has_twin else node,
    }


def _search_jobs(reads: Reads, request: Request) -> Response:
    text = _text(request)
    hits = [job_hit(found) for found in describe_found_jobs(reads.graph, text, reads.inherit)]
    return answer({"hits": hits, "highlights": [highlights(hit, text) for hit in hits]})


def _search_datasets(reads: Reads, request: Request) -> Response:
    text = _text(request)
    found = describe_found_datasets(reads.graph, text)
    hits = [dataset_hit(one) for one in found]
    marked = [
        highlights(hit, text, [field.name for field in one.row.fields])
        for hit, one in zip(hits, found, strict=True)
    ]
    return answer({"hits": hits, "highlights": marked})


def _text(request: Request) -> str:
    text = request.query_params.get("q", "").strip()
    if not text:
        raise RequestRefused(400, "q is a part of a name", "q")
    return text


def _day(request: Request, name: str) -> datetime | None:
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise RequestRefused(400, f"{name} is no day like 2026-03-02", name) from None
