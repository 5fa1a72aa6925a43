"""Tags, and those of datasets and their columns."""

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.curation.tags import attach_tags, detach_tag, put_tag
from lineagegraph.errors import NotFound
from lineagegraph.explore import one, pages
from lineagegraph.http.marquez.dataset_shapes import dataset_shape
from lineagegraph.http.marquez.namespace_routes import DATASET
from lineagegraph.http.plumbing.bodies import body_of, with_body
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.names import field_key

_TAGGED = ("POST", "DELETE")


class TagBody(msgspec.Struct):
    """What a tag is made with."""

    description: str | None = None


def tag_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of tags."""
    column = f"{DATASET}/fields/{{field}}/tags/{{tag}}"
    return [
        RawRoute("/api/v1/tags", partial(_tags, reads), methods=["GET"]),
        RawRoute(
            "/api/v1/tags/{tag}",
            with_body(reads.most_bytes, partial(_put_tag, reads)),
            methods=["PUT"],
        ),
        RawRoute(f"{DATASET}/tags/{{tag}}", partial(_tag_dataset, reads), methods=_TAGGED),
        RawRoute(column, partial(_tag_column, reads), methods=_TAGGED),
    ]


def _tags(reads: Reads, request: Request) -> Response:
    return page_answer("tags", pages.page_tags(reads.graph, read_cut(request)), lambda tag: tag)


def _put_tag(reads: Reads, request: Request) -> Response:
    said = body_of(request, TagBody)
    return answer(put_tag(reads.graph, path_name(request, "tag"), said.description))


def _tag_dataset(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    _change_tags(reads, request, found.row.key)
    return answer(dataset_shape(one.read_dataset_detail(reads.graph, namespace, name)))


def _tag_column(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    column = path_text(request, "field")
    if column not in {field.name for field in found.row.fields}:
        raise NotFound(f"no column {column!r} in dataset {name!r} in namespace {namespace!r}")
    _change_tags(reads, request, field_key(found.row.key, column))
    return answer(dataset_shape(one.read_dataset_detail(reads.graph, namespace, name)))


def _change_tags(reads: Reads, request: Request, key: str) -> None:
    tag = path_name(request, "tag")
    if request.method == "POST":
        attach_tags(reads.graph, key, [tag])
    else:
        detach_tag(reads.graph, key, tag)
