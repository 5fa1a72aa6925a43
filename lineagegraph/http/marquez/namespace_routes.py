"""Namespaces and their datasets."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.explore import one, pages
from lineagegraph.http.marquez.dataset_shapes import dataset_shape, namespace_shape
from lineagegraph.http.marquez.parameters import read_cut
from lineagegraph.http.marquez.raw_route import RawRoute, path_text
from lineagegraph.http.marquez.reads import Reads, answer, page_answer

_NAMESPACES = "/api/v1/namespaces"
_NAMESPACE = f"{_NAMESPACES}/{{namespace}}"


def namespace_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes of namespaces and datasets."""
    return [
        RawRoute(_NAMESPACES, partial(_namespaces, reads), methods=["GET"]),
        RawRoute(_NAMESPACE, partial(_namespace, reads), methods=["GET"]),
        RawRoute(f"{_NAMESPACE}/datasets", partial(_datasets, reads), methods=["GET"]),
        RawRoute(f"{_NAMESPACE}/datasets/{{dataset}}", partial(_dataset, reads), methods=["GET"]),
    ]


def _namespaces(reads: Reads, request: Request) -> Response:
    page = pages.page_namespaces(reads.graph, read_cut(request))
    return page_answer("namespaces", page, namespace_shape)


def _namespace(reads: Reads, request: Request) -> Response:
    found = pages.read_namespace(reads.graph, path_text(request, "namespace"))
    return answer(namespace_shape(found))


def _datasets(reads: Reads, request: Request) -> Response:
    namespace = path_text(request, "namespace")
    page = pages.page_datasets(reads.graph, namespace, read_cut(request))
    return page_answer("datasets", page, dataset_shape)


def _dataset(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    return answer(dataset_shape(one.read_dataset_detail(reads.graph, namespace, name)))
