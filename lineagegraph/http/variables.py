"""The routes of variables: values that definitions and tasks read by name."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import variables
from lineagegraph.admin.variables import Change, Variable
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import signature_of
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import read_cut, whole_number
from lineagegraph.http.marquez.raw_route import RawRoute, path_text
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.model.names.canonical import canonical_json
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings

_MOST = 1_000


class VariableBody(msgspec.Struct, forbid_unknown_fields=True):
    """The value that a variable is given."""

    value: Any


class _Served(NamedTuple):
    """The graph that is served, and what tells daemons to look."""

    graph: Graph
    nudge: Callable[[], None]


def variable_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when a variable changed."""
    served = _Served(graph, nudge)
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    one = "/api/v1/variables/{variable}"
    return [
        RawRoute("/api/v1/variables", partial(_list, served), methods=["GET"]),
        RawRoute(f"{one}/history", partial(_history, served), methods=["GET"]),
        RawRoute(one, partial(_get, served), methods=["GET"]),
        RawRoute(one, with_body(reads, partial(_put, served)), methods=["PUT"]),
        RawRoute(one, partial(_delete, served), methods=["DELETE"]),
    ]


def _list(served: _Served, request: Request) -> Response:
    cut = read_cut(request)
    found = variables.list_variables(served.graph)
    page = Page(tuple(found[cut.offset : cut.offset + cut.limit]), len(found))
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
    return answer({"changes": [_change(one) for one in found]})


def _name(request: Request) -> str:
    return path_text(request, "variable")


def _variable(one: Variable) -> dict[str, Any]:
    return {"name": one.name, **_said(one)}


def _change(one: Change) -> dict[str, Any]:
    return {"number": one.number, **_said(one)}


def _said(one: Variable | Change) -> dict[str, Any]:
    value = msgspec.Raw(canonical_json(one.value).encode())
    return {"value": value, "changedAt": one.changed_at, "changedBy": one.changed_by}
