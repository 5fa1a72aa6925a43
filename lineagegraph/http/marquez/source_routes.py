"""The routes of data sources."""

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.namespaces import put_source
from lineagegraph.http.marquez.paths import SOURCE
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import Body, Reply, get, listing, put, routes_of, tagged
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.queries.jobs.sources import page_sources, read_source
from lineagegraph.store.datasets.sources import SourceRow

_ALL = "/api/v1/sources"
_ONE = f"{_ALL}/{{source}}"


class SourceBody(msgspec.Struct, rename="camel"):
    """A source to create."""

    type: str
    connection_url: str
    description: str | None = None


class SourceAnswer(AnswerStruct):
    """A source of datasets."""

    type: str
    name: str
    created_at: Timestamp
    updated_at: Timestamp
    connection_url: str
    description: str | None


_FOUND = Reply("The source.", SourceAnswer)
OPERATIONS = tagged(
    "sources",
    get(
        _ALL,
        "getSources",
        "The sources of datasets.",
        listing("sources", SourceAnswer, "Sources by name."),
    ),
    get(_ONE, "getSource", "One source.", _FOUND, SOURCE),
    put(
        _ONE,
        "putSource",
        "Create a source, or describe it again.",
        _FOUND,
        SOURCE,
        body=Body(
            SourceBody,
            {
                "type": "S3",
                "connectionUrl": "s3://experiments",
                "description": "Metrics of experiments",
            },
        ),
        may_miss=False,
    ),
)


def source_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "getSources": partial(_sources, reads),
        "getSource": partial(_source, reads),
        "putSource": partial(_put_source, reads),
    }
    return routes_of(OPERATIONS, endpoints, reads.most_bytes)


def _sources(reads: Reads, request: Request) -> Response:
    return page_answer("sources", page_sources(reads.graph, read_cut(request)), _answer)


def _source(reads: Reads, request: Request) -> Response:
    return answer(_answer(read_source(reads.graph, path_text(request, "source"))))


def _put_source(reads: Reads, request: Request) -> Response:
    name, said = path_name(request, "source"), body_of(request, SourceBody)
    put_source(reads.graph, name, said.type, said.connection_url, said.description)
    return answer(_answer(read_source(reads.graph, name)))


def _answer(source: SourceRow) -> SourceAnswer:
    return answer_from(SourceAnswer, source)
