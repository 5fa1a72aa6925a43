"""Operations of the API, stated once for routes and document."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, cast
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs
from starlette.requests import Request

from lineagegraph.http.plumbing.answers import AnswerStruct, Count
from lineagegraph.http.plumbing.bodies import with_body
from lineagegraph.http.plumbing.raw_route import RawRoute

JSON_TYPE = "application/json"
NDJSON_TYPE = "application/x-ndjson"
DRAWING_TYPES = ("text/vnd.graphviz", "text/vnd.mermaid", "image/svg+xml")
Name = Annotated[str, Meta(min_length=1)]
Endpoint = Callable[[Request], Any]


class ApiParameter(msgspec.Struct, frozen=True):
    """A parameter in the query, in the path, or in a header."""

    name: str
    type: Any
    example: Any
    about: str = ""
    default: Any = UNSET
    required: bool = False
    place: Literal["query", "path", "header"] = "query"


class Body(NamedTuple):
    """The body of a request."""

    type: Any
    example: Any
    required: bool = True


class Header(NamedTuple):
    """A header of an answer."""

    schema: dict[str, Any]
    about: str = ""
    required: bool = True


class Reply(msgspec.Struct, frozen=True):
    """An answer of one status; a `shared` one is described once in the document, by that name.

    `type` is that of its JSON, None without any; `texts` are the media types beside it.
    """

    about: str  # description in the document
    type: Any = None  # type of its JSON; None without any
    status: int = 200  # HTTP status
    json_type: str = JSON_TYPE  # media type of that JSON
    texts: tuple[str, ...] = ()  # media types of text that are served beside it
    headers: Mapping[str, Header] = {}  # its headers, by name
    shared: str = ""  # name of the one description in the document; empty for its own
    is_page: bool = False  # whether it is a part of a list


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """A method of a path; `name` is its operation id."""

    method: str  # HTTP method in capitals
    path: str  # path, with parameters in braces
    name: str  # operation id
    summary: str  # one sentence for the document
    replies: tuple[Reply, ...]  # answers and refusals, the success first
    parameters: tuple[ApiParameter, ...] = ()  # parameters in the query and the path
    body: Body | None = None  # body of the request; None without one
    tag: str = ""  # group in the document
    description: str = ""  # longer text for the document; empty for none
    deprecated: bool = False  # whether clients should leave it
    takes_any: bool = False  # whether unknown parameters in the query are ignored


class ErrorAnswer(AnswerStruct):
    """An error, and the JSON path or parameter at fault."""

    error: str
    path: str | UnsetType = UNSET


def error_reply(status: int, name: str, about: str, **headers: Header) -> Reply:
    """Return a refusal that several operations share."""
    named = {header.replace("_", "-"): one for header, one in headers.items()}
    return Reply(about, ErrorAnswer, status, headers=named, shared=name)


RETRY_AFTER = Header({"type": "integer"}, "Seconds after which it can be tried again.")
BAD_REQUEST = error_reply(400, "BadRequest", "Something in the request is wrong.")
NOT_FOUND = error_reply(404, "NotFound", "It does not exist.")
NOT_ACCEPTABLE = error_reply(406, "NotAcceptable", "No format in `Accept` is available.")
TOO_LARGE = error_reply(413, "TooLarge", "The body is larger than the setting max_body_bytes.")
TOO_SLOW = error_reply(408, "TooSlow", "The body did not arrive within the setting body_seconds.")
UNKNOWN_ENCODING = error_reply(
    415,
    "UnknownEncoding",
    "The content encoding is neither gzip nor identity, or the content type is none or one that an "
    "HTML form can send.",
    Accept_Encoding=Header({"type": "string"}, required=False),
)
UNAVAILABLE = error_reply(
    503, "Unavailable", "Neo4j is away or busy, or the server is stopping.", Retry_After=RETRY_AFTER
)

LIMIT = ApiParameter("limit", Annotated[int, Meta(ge=0, le=10_000)], 20, default=100)
OFFSET = ApiParameter("offset", Annotated[int, Meta(ge=0, le=2**53)], 0, default=0)
_INSTEAD = "Instead of `Accept`, for clients that cannot set it:"
LIST_FORMAT = ApiParameter(
    "format", Literal["json", "ndjson"], "json", f"{_INSTEAD} `ndjson` has one item per line."
)


def in_path(name: str, type_: Any, example: str, about: str) -> ApiParameter:
    """Return a parameter in the path."""
    return ApiParameter(name, type_, example, about, required=True, place="path")


RUN_ID = in_path("id", UUID, "e89e2c7e-ee44-52e9-b375-9012871adf94", "The id of a run.")


def page_of(name: str, item: type[AnswerStruct]) -> type[AnswerStruct]:
    """Return the type of a part of a list, with the length of the whole."""
    title = item.__name__.removesuffix("Answer")
    fields: list[tuple[str, Any]] = [(name, list.__class_getitem__(item)), ("total_count", Count)]
    page = msgspec.defstruct(f"{title}PageAnswer", fields, bases=(AnswerStruct,))
    return cast("type[AnswerStruct]", page)


def listing(name: str, item: type[AnswerStruct], about: str) -> Reply:
    """Return the answer of `page_answer`; its operation takes the parameters of a page too."""
    return Reply(about, page_of(name, item), texts=(NDJSON_TYPE,), is_page=True)


def operation(
    method: str,
    path: str,
    name: str,
    summary: str,
    replies: Reply | tuple[Reply, ...],
    *parameters: ApiParameter,
    body: Body | None = None,
    also: tuple[Reply, ...] = (),
    may_miss: bool | None = None,
    **more: Any,
) -> Operation:
    """Return an operation with the refusals that all such have.

    404 is one of them if the path has parameters, unless `may_miss` states otherwise.
    """
    given = replies if isinstance(replies, tuple) else (replies,)
    if given[0].is_page:
        parameters = (*parameters, *_missing(parameters, (LIMIT, OFFSET, LIST_FORMAT)))
    refusals = [BAD_REQUEST, UNAVAILABLE]
    if "{" in path if may_miss is None else may_miss:
        refusals.append(NOT_FOUND)
    if body:
        refusals += [TOO_SLOW, TOO_LARGE, UNKNOWN_ENCODING]
    if any(one.name == "format" for one in parameters):
        refusals.append(NOT_ACCEPTABLE)
    stated = {one.status for one in (*given, *also)}
    rest = tuple(one for one in refusals if one.status not in stated)
    return Operation(
        method=method,
        path=path,
        name=name,
        summary=summary,
        replies=(*given, *also, *rest),
        parameters=parameters,
        body=body,
        **more,
    )


def get(path: str, *rest: Any, **more: Any) -> Operation:
    """Return an operation that reads."""
    return operation("GET", path, *rest, **more)


def put(path: str, *rest: Any, **more: Any) -> Operation:
    """Return an operation that creates or replaces."""
    return operation("PUT", path, *rest, **more)


def post(path: str, *rest: Any, **more: Any) -> Operation:
    """Return an operation that adds or acts."""
    return operation("POST", path, *rest, **more)


def delete(path: str, *rest: Any, **more: Any) -> Operation:
    """Return an operation that removes."""
    return operation("DELETE", path, *rest, **more)


def plain(path: str, name: str, summary: str, *replies: Reply) -> Operation:
    """Return an operation that reads, and has no other refusals than those given.

    It takes any parameter in the query: probes and scrapers add their own, and none selects.
    """
    return Operation(
        method="GET", path=path, name=name, summary=summary, replies=replies, takes_any=True
    )


def tagged(tag: str, *operations: Operation) -> tuple[Operation, ...]:
    """Return operations under the name of their group in the document."""
    return tuple(structs.replace(one, tag=tag) for one in operations)


def routes_of(
    operations: Iterable[Operation], endpoints: Mapping[str, Endpoint], most_bytes: int = 0
) -> list[RawRoute]:
    """Return the routes of operations; endpoints go by operation id.

    `most_bytes` limits the bodies of requests.
    """
    stated = tuple(operations)
    assert endpoints.keys() == {one.name for one in stated}, "an operation for each endpoint"
    return [
        RawRoute(
            one.path,
            with_body(most_bytes, endpoints[one.name]) if one.body else endpoints[one.name],
            methods=[one.method],
            known=known_parameters(one),
        )
        for one in stated
    ]


def known_parameters(*operations: Operation) -> dict[str, tuple[str, ...]]:
    """Return the names of the parameters in the query, by method."""
    return {
        one.method: tuple(each.name for each in one.parameters if each.place == "query")
        for one in operations
        if not one.takes_any
    }


def _missing(
    given: tuple[ApiParameter, ...], wanted: tuple[ApiParameter, ...]
) -> list[ApiParameter]:
    names = {one.name for one in given}
    return [one for one in wanted if one.name not in names]
