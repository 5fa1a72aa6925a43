"""Namespaces and their datasets."""

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.curation.hide import hide_dataset, hide_namespace
from lineagegraph.curation.namespaces import put_namespace
from lineagegraph.explore import one, pages
from lineagegraph.http.marquez.dataset_shapes import dataset_shape, namespace_shape
from lineagegraph.http.plumbing.bodies import body_of, with_body
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer

_NAMESPACES = "/api/v1/namespaces"
_NAMESPACE = f"{_NAMESPACES}/{{namespace}}"
DATASET = f"{_NAMESPACE}/datasets/{{dataset}}"


class NamespaceBody(msgspec.Struct, rename="camel"):
    """What a namespace is created with."""

    owner_name: str
    description: str | None = None


def namespace_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of namespaces and datasets."""
    return [
        RawRoute(_NAMESPACES, partial(_namespaces, reads), methods=["GET"]),
        RawRoute(_NAMESPACE, partial(_namespace, reads), methods=["GET"]),
        RawRoute(
            _NAMESPACE, with_body(reads.most_bytes, partial(_put_namespace, reads)), methods=["PUT"]
        ),
        RawRoute(_NAMESPACE, partial(_hide_namespace, reads), methods=["DELETE"]),
        RawRoute(f"{_NAMESPACE}/datasets", partial(_datasets, reads), methods=["GET"]),
        RawRoute(DATASET, partial(_dataset, reads), methods=["GET"]),
        RawRoute(DATASET, partial(_hide_dataset, reads), methods=["DELETE"]),
    ]


def _namespaces(reads: Reads, request: Request) -> Response:
    page = pages.page_namespaces(reads.graph, read_cut(request))
    return page_answer("namespaces", page, namespace_shape)


def _namespace(reads: Reads, request: Request) -> Response:
    found = pages.read_namespace(reads.graph, path_text(request, "namespace"))
    return answer(namespace_shape(found))


def _put_namespace(reads: Reads, request: Request) -> Response:
    name, said = path_name(request, "namespace"), body_of(request, NamespaceBody)
    put_namespace(reads.graph, name, said.owner_name, said.description)
    return answer(namespace_shape(pages.read_namespace(reads.graph, name)))


def _hide_namespace(reads: Reads, request: Request) -> Response:
    found = pages.read_namespace(reads.graph, path_text(request, "namespace"))
    hide_namespace(reads.graph, found.name, reads.inherit)
    return answer(namespace_shape(found) | {"isHidden": True})


def _datasets(reads: Reads, request: Request) -> Response:
    namespace = path_text(request, "namespace")
    page = pages.page_datasets(reads.graph, namespace, read_cut(request))
    return page_answer("datasets", page, dataset_shape)


def _dataset(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    return answer(dataset_shape(one.read_dataset_detail(reads.graph, namespace, name)))


def _hide_dataset(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    hide_dataset(reads.graph, found.row.key)
    return answer(dataset_shape(found))
