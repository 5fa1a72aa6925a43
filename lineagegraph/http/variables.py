"""The routes of variables: values that definitions and tasks read by name."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import variables
from lineagegraph.admin.variables import Variable
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import signature_of
from lineagegraph.http.plumbing.answers import NOT_NULL, AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Reply,
    delete,
    get,
    in_path,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import read_cut, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings

_MOST = 1_000


class VariableBody(msgspec.Struct, forbid_unknown_fields=True):
    """The value that a variable is given."""

    value: Annotated[Any, NOT_NULL, about("Any JSON but null, of at most 64 kB.")]


class VariableAnswer(AnswerStruct):
    """A variable that is set."""

    name: str
    value: Annotated[msgspec.Raw, NOT_NULL]
    changed_at: Timestamp
    changed_by: Annotated[str, about("A token, an address, or a user and host.")]


class VariableChangeAnswer(AnswerStruct):
    """A change of a variable."""

    number: Annotated[int, msgspec.Meta(ge=1)]
    value: Annotated[msgspec.Raw, about("The value that it was set to; null: it was unset.")]
    changed_at: Timestamp
    changed_by: str


class VariableHistoryAnswer(AnswerStruct):
    """The changes of a variable, the newest first."""

    changes: list[VariableChangeAnswer]


_ONE = "/api/v1/variables/{variable}"
_NAME = in_path(
    "variable",
    Annotated[str, msgspec.Meta(min_length=1, max_length=200)],
    "clients",
    "The name of a variable.",
)
OPERATIONS = tagged(
    "variables",
    get(
        "/api/v1/variables",
        "getVariables",
        "Variables that are set.",
        listing("variables", VariableAnswer, "Variables by name."),
    ),
    get(
        _ONE,
        "getVariable",
        "A variable, its value and last change.",
        Reply("The variable.", VariableAnswer),
        _NAME,
    ),
    put(
        _ONE,
        "putVariable",
        "Give a variable a value; definitions that read it are read again.",
        Reply("The variable as it is now.", VariableAnswer),
        _NAME,
        body=Body(VariableBody, {"value": ["acme", "zeta"]}),
        may_miss=False,
    ),
    delete(
        _ONE,
        "deleteVariable",
        "Take the value of a variable away; its history stays.",
        Reply("It is not set any more.", status=204),
        _NAME,
    ),
    get(
        f"{_ONE}/history",
        "getVariableHistory",
        "Who changed a variable to what, the newest change first.",
        Reply("Changes.", VariableHistoryAnswer),
        _NAME,
        ApiParameter(
            "limit",
            Annotated[int, msgspec.Meta(ge=0, le=_MOST)],
            10,
            "At most that many changes.",
            default=100,
        ),
    ),
)


class _Served(NamedTuple):
    """The graph that is served, and the nudge to daemons."""

    graph: Graph
    nudge: Callable[[], None]


def variable_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when a variable changed."""
    served = _Served(graph, nudge)
    endpoints = {
        "getVariables": partial(_list, served),
        "getVariable": partial(_get, served),
        "putVariable": partial(_put, served),
        "deleteVariable": partial(_delete, served),
        "getVariableHistory": partial(_history, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    page = Page.of(variables.list_variables(served.graph), read_cut(request))
    return page_answer("variables", page, _variable)


def _get(served: _Served, request: Request) -> Response:
    return answer(_variable(variables.get_variable(served.graph, _name(request))))


def _put(served: _Served, request: Request) -> Response:
    name, said = _name(request), body_of(request, VariableBody)
    if variables.set_variable(served.graph, name, said.value, by=signature_of(request)):
        served.nudge()
    return answer(_variable(variables.get_variable(served.graph, name)))


def _delete(served: _Served, request: Request) -> Response:
    variables.unset_variable(served.graph, _name(request), by=signature_of(request))
    served.nudge()
    return Response(status_code=204)


def _history(served: _Served, request: Request) -> Response:
    limit = whole_number(request, "limit", 100, _MOST)
    found = variables.list_changes(served.graph, _name(request), limit)
    changes = [answer_from(VariableChangeAnswer, one, value=_json(one.value)) for one in found]
    return answer(VariableHistoryAnswer(changes))


def _name(request: Request) -> str:
    return path_text(request, "variable")


def _variable(one: Variable) -> VariableAnswer:
    return answer_from(VariableAnswer, one, value=_json(one.value))


def _json(value: Any) -> msgspec.Raw:
    # Values may have integers of any size, which the quicker encoder does not know.
    return msgspec.Raw(canonical_json(value).encode())
