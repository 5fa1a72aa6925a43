"""The routes of namespaces."""

from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.hide import has_triggers, hide_namespace
from lineagegraph.admin.namespaces import put_namespace
from lineagegraph.graph import Transaction
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.marquez.dataset_answers import NamespaceAnswer, namespace_answer
from lineagegraph.http.marquez.paths import NAMESPACE, NAMESPACES, ONE_NAMESPACE
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    Body,
    Reply,
    delete,
    get,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.access import Role
from lineagegraph.queries.jobs import pages


class NamespaceBody(msgspec.Struct, rename="camel"):
    """A namespace to create."""

    owner_name: str
    description: str | None = None


OPERATIONS = tagged(
    "namespaces",
    get(
        NAMESPACES,
        "listNamespaces",
        "Namespaces of jobs and of datasets, by name.",
        listing("namespaces", NamespaceAnswer, "Namespaces by name."),
    ),
    get(
        ONE_NAMESPACE,
        "getNamespace",
        "One namespace.",
        Reply("A namespace of jobs or datasets.", NamespaceAnswer),
        NAMESPACE,
    ),
    put(
        ONE_NAMESPACE,
        "putNamespace",
        "Create a namespace, or change its owner and description.",
        Reply("The namespace.", NamespaceAnswer),
        NAMESPACE,
        body=Body(
            NamespaceBody, {"ownerName": "experimentation", "description": "Metrics of experiments"}
        ),
        may_miss=False,
    ),
    delete(
        ONE_NAMESPACE,
        "deleteNamespace",
        "Hide a namespace with its jobs and datasets, until an event names it.",
        Reply("The namespace, which is hidden now.", NamespaceAnswer),
        NAMESPACE,
    ),
)


def namespace_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    endpoints = {
        "listNamespaces": partial(_list, reads),
        "getNamespace": partial(_get, reads),
        "putNamespace": partial(_put, reads),
        "deleteNamespace": partial(_hide, reads),
    }
    return routes_of(OPERATIONS, endpoints, reads.most_bytes)


def _list(reads: Reads, request: Request) -> Response:
    page = pages.page_namespaces(reads.graph, read_cut(request))
    return page_answer("namespaces", page, namespace_answer)


def _get(reads: Reads, request: Request) -> Response:
    found = pages.read_namespace(reads.graph, path_text(request, "namespace"))
    return answer(namespace_answer(found))


def _put(reads: Reads, request: Request) -> Response:
    name, body = path_name(request, "namespace"), body_of(request, NamespaceBody)
    put_namespace(reads.graph, name, body.owner_name, body.description)
    return answer(namespace_answer(pages.read_namespace(reads.graph, name)))


def _hide(reads: Reads, request: Request) -> Response:
    found = pages.read_namespace(reads.graph, path_text(request, "namespace"))

    def hide(tx: Transaction) -> None:
        if has_triggers(tx, found.name, reads.inherit):
            # As with a single job: a token that may only write must not hide what others operate.
            require(caller_of(request), Role.OPERATE, found.name)
        hide_namespace(tx, found.name, reads.inherit)

    reads.graph.write(hide)
    return answer(namespace_answer(found, is_hidden=True))
