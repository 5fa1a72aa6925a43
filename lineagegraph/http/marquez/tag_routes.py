"""The routes of tags, and of those of datasets and their columns."""

from functools import partial
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.namespaces import attach_tags, detach_tag, put_tag
from lineagegraph.errors import NotFound
from lineagegraph.http.marquez.dataset_answers import DatasetAnswer, dataset_answer
from lineagegraph.http.marquez.paths import DATASET, DATASET_NAMESPACE, ONE_DATASET, TAG
from lineagegraph.http.plumbing.answers import AnswerStruct, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    Body,
    Name,
    Reply,
    delete,
    get,
    in_path,
    listing,
    post,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import Reads, answer, page_answer
from lineagegraph.model.names.keys import field_key
from lineagegraph.queries.find.find import list_named_columns
from lineagegraph.queries.jobs import one, pages
from lineagegraph.queries.lineage.tag_flow import FlowStep, ReachedColumn, read_tag_flow
from lineagegraph.store.admin.tags import TagRow

_ONE = "/api/v1/tags/{tag}"
_OF_DATASET = f"{ONE_DATASET}/tags/{{tag}}"
_OF_FIELD = f"{ONE_DATASET}/fields/{{field}}/tags/{{tag}}"
_FIELD = in_path("field", Name, "clicks", "A column that the dataset has now, percent-encoded.")
_TAGGED = Reply("The dataset.", DatasetAnswer)


class TagBody(msgspec.Struct):
    """A tag to create or change."""

    description: str | None = None


class TagAnswer(AnswerStruct):
    """A tag."""

    name: str
    description: str | None


class FlowStepAnswer(AnswerStruct):
    """A column on the way of a tagged value."""

    id: Annotated[str, about("Node id: datasetField:NAMESPACE:DATASET:FIELD.")]
    job: Annotated[str | None, about("NAMESPACE:NAME of the job that made it; null for the first.")]


class ReachedColumnAnswer(AnswerStruct):
    """A column without the tag that tagged values reach."""

    id: Annotated[str, about("Node id: datasetField:NAMESPACE:DATASET:FIELD.")]
    namespace: str
    dataset: str
    field: str
    path: Annotated[list[FlowStepAnswer], about("A shortest path, from a tagged column to it.")]


class TagFlowAnswer(AnswerStruct):
    """The columns that the values of columns with a tag reach, the nearest first."""

    tag: str
    columns: list[ReachedColumnAnswer]
    cut: Annotated[bool, about("Whether more exist than are listed.")]


OPERATIONS = tagged(
    "tags",
    get(
        f"{_ONE}/flow",
        "getTagFlow",
        "The columns that the values of tagged columns reach without masking.",
        Reply("The reached columns.", TagFlowAnswer),
        TAG,
        also=(NOT_FOUND,),
    ),
    get(
        "/api/v1/tags",
        "getTags",
        "Tags that were created or attached here.",
        listing("tags", TagAnswer, "Tags by name."),
    ),
    put(
        _ONE,
        "putTag",
        "Create a tag, or change its description.",
        Reply("The tag.", TagAnswer),
        TAG,
        body=Body(TagBody, {"description": "Holds personal data"}, required=False),
        may_miss=False,
    ),
    post(
        _OF_DATASET,
        "postDatasetTag",
        "Attach a tag to a dataset; a missing tag is created.",
        _TAGGED,
        DATASET_NAMESPACE,
        DATASET,
        TAG,
    ),
    delete(
        _OF_DATASET,
        "deleteDatasetTag",
        "Take a tag off a dataset.",
        _TAGGED,
        DATASET_NAMESPACE,
        DATASET,
        TAG,
    ),
    post(
        _OF_FIELD,
        "postFieldTag",
        "Attach a tag to a column; a missing tag is created.",
        _TAGGED,
        DATASET_NAMESPACE,
        DATASET,
        _FIELD,
        TAG,
    ),
    delete(
        _OF_FIELD,
        "deleteFieldTag",
        "Take a tag off a column.",
        _TAGGED,
        DATASET_NAMESPACE,
        DATASET,
        _FIELD,
        TAG,
    ),
)


def tag_routes(reads: Reads) -> list[RawRoute]:
    """Return the routes."""
    tag_dataset, tag_column = partial(_tag_dataset, reads), partial(_tag_column, reads)
    endpoints = {
        "getTags": partial(_tags, reads),
        "getTagFlow": partial(_flow, reads),
        "putTag": partial(_put_tag, reads),
        "postDatasetTag": tag_dataset,
        "deleteDatasetTag": tag_dataset,
        "postFieldTag": tag_column,
        "deleteFieldTag": tag_column,
    }
    return routes_of(OPERATIONS, endpoints, reads.most_bytes)


def _tags(reads: Reads, request: Request) -> Response:
    return page_answer("tags", pages.page_tags(reads.graph, read_cut(request)), _answer)


def _flow(reads: Reads, request: Request) -> Response:
    found = read_tag_flow(reads.graph, path_name(request, "tag"))
    columns = [
        ReachedColumnAnswer(
            _field_id(one),
            one.namespace,
            one.dataset,
            one.column,
            [FlowStepAnswer(_field_id(step), step.job) for step in one.path],
        )
        for one in found.columns
    ]
    return answer(TagFlowAnswer(found.tag, columns, found.cut))


def _field_id(one: FlowStep | ReachedColumn) -> str:
    return f"datasetField:{one.namespace}:{one.dataset}:{one.column}"


def _put_tag(reads: Reads, request: Request) -> Response:
    said = body_of(request, TagBody)
    return answer(_answer(put_tag(reads.graph, path_name(request, "tag"), said.description)))


def _tag_dataset(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    _change_tags(reads, request, found.row.key)
    return answer(dataset_answer(one.read_dataset_detail(reads.graph, namespace, name)))


def _tag_column(reads: Reads, request: Request) -> Response:
    namespace, name = path_text(request, "namespace"), path_text(request, "dataset")
    found = one.read_dataset_detail(reads.graph, namespace, name)
    column, key = path_text(request, "field"), found.row.key
    removes = request.method == "DELETE"
    known = list_named_columns(reads.graph, key, column, with_tagged=removes)
    if not known and column not in {field.name for field in found.row.fields}:
        raise NotFound(f"no column {column!r} in dataset {name!r} in namespace {namespace!r}")
    _change_tags(reads, request, known[0].key if known else field_key(key, column))
    return answer(dataset_answer(one.read_dataset_detail(reads.graph, namespace, name)))


def _change_tags(reads: Reads, request: Request, key: str) -> None:
    tag = path_name(request, "tag")
    if request.method == "POST":
        attach_tags(reads.graph, key, [tag])
    else:
        detach_tag(reads.graph, key, tag)


def _answer(tag: TagRow) -> TagAnswer:
    return answer_from(TagAnswer, tag)
