"""Data sources."""

from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.curation.sources import put_source
from lineagegraph.explore.sources import page_sources, read_source
from lineagegraph.http.plumbing.bodies import body_of, with_body
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.store.sources import SourceRow

_SOURCE = "/api/v1/sources/{source}"


class SourceBody(msgspec.Struct, rename="camel"):
    """What a source is created with."""

    type: str
    connection_url: str
    description: str | None = None


def source_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of sources."""
    return [
        RawRoute("/api/v1/sources", partial(_sources, reads), methods=["GET"]),
        RawRoute(_SOURCE, partial(_source, reads), methods=["GET"]),
        RawRoute(
            _SOURCE, with_body(reads.most_bytes, partial(_put_source, reads)), methods=["PUT"]
        ),
    ]


def _sources(reads: Reads, request: Request) -> Response:
    return page_answer("sources", page_sources(reads.graph, read_cut(request)), _shape)


def _source(reads: Reads, request: Request) -> Response:
    return answer(_shape(read_source(reads.graph, path_text(request, "source"))))


def _put_source(reads: Reads, request: Request) -> Response:
    name, said = path_name(request, "source"), body_of(request, SourceBody)
    put_source(reads.graph, name, said.type, said.connection_url, said.description)
    return answer(_shape(read_source(reads.graph, name)))


def _shape(source: SourceRow) -> dict[str, Any]:
    return {
        "type": source.type,
        "name": source.name,
        "createdAt": source.created_at,
        "updatedAt": source.updated_at,
        "connectionUrl": source.connection_url,
        "description": source.description,
    }
