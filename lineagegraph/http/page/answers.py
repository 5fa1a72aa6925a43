"""The answers to the questions of the page's views: the same views as those of the widgets."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple, get_type_hints
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import InvalidParameter, NotFound
from lineagegraph.graph import Graph
from lineagegraph.http.access import require
from lineagegraph.http.access.caller import caller_of, signature_of
from lineagegraph.http.pipeline_runs.bodies import IDEMPOTENCY_KEY, idempotency_key
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import Body, Reply, in_path, post, routes_of, tagged
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.model.access import Role
from lineagegraph.model.typed import convert_value
from lineagegraph.settings import Settings
from lineagegraph.views.backfills import BackfillsView
from lineagegraph.views.days import DaysView
from lineagegraph.views.explorer import ExplorerView
from lineagegraph.views.freshness_board import FreshnessBoardView
from lineagegraph.views.live_run import LiveRunView
from lineagegraph.views.now import NowView
from lineagegraph.views.run_history import RunHistoryView
from lineagegraph.views.sensors import SensorsView
from lineagegraph.views.tags import TagsView
from lineagegraph.views.tokens import TokensView
from lineagegraph.views.trigger_panel import TriggerPanelView
from lineagegraph.views.view import View

VIEWS: Mapping[str, type[View]] = {
    "backfills": BackfillsView,
    "days": DaysView,
    "explorer": ExplorerView,
    "freshness_board": FreshnessBoardView,
    "live_run": LiveRunView,
    "now": NowView,
    "run_history": RunHistoryView,
    "sensors": SensorsView,
    "tags": TagsView,
    "tokens": TokensView,
    "trigger_panel": TriggerPanelView,
}
_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
OPERATIONS = tagged(
    "page",
    post(
        "/api/v1/views/{view}/{question}",
        "askView",
        "Answer a question of the page at `/`.",
        Reply("The answer; its form depends on the question.", Any),
        in_path("view", _Name, "now", "The name of a view."),
        in_path("question", _Name, "now", "The name of a question of the view."),
        IDEMPOTENCY_KEY,
        body=Body(dict[str, Any], {}),
        description="For the page of the same release: questions and answers may change with any "
        "other. All need the role `read` on all namespaces; questions that change something also "
        "`operate`, those that describe data `write`, and those about tokens `admin`.",
    ),
)


class _Served(NamedTuple):
    graph: Graph
    settings: Settings
    nudge: Callable[[], None]


def view_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when a run was queued."""
    endpoints = {"askView": partial(_ask, _Served(graph, settings, nudge))}
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _ask(served: _Served, request: Request) -> Response:
    name, question = path_text(request, "view"), path_text(request, "question")
    kind = VIEWS.get(name)
    asked = getattr(kind, f"answer_{question}", None)
    if kind is None or asked is None:
        raise RequestRefused(404, f"no question {question!r} of a view {name!r}")
    caller = caller_of(request)
    about = check_about(asked, body_of(request, dict[str, Any]))
    view = kind(served.graph, served.settings)
    for role, namespace in view.needs(question, about):
        require(caller, role, namespace)
    view.execute = lambda _: served.nudge()
    view.author = signature_of(request)
    view.token, view.confined = caller.token, caller.is_confined
    view.key = idempotency_key(request)
    # The page offers only what the caller may do, and a logout, also beside something unknown.
    known = {
        "Lineagegraph-Roles": " ".join(role for role in Role if caller.covers_all(role)),
        "Lineagegraph-Caller": quote(caller.user or caller.token or ""),
    }
    try:
        found = answer(view.answer(question, about))
    except NotFound as error:
        raise RequestRefused(404, str(error), headers=known) from error
    except (ValueError, OverflowError) as error:
        raise InvalidParameter(f"{question}: {error}") from error
    found.headers["Cache-Control"] = "no-store"
    found.headers.update(known)
    return found


def check_about(asked: Callable[..., Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a question is about, with each value in the type that the question takes."""
    hints = get_type_hints(asked)
    parameters = [
        one for name, one in inspect.signature(asked).parameters.items() if name != "self"
    ]
    if unknown := about.keys() - {one.name for one in parameters}:
        raise RequestRefused(400, f"unknown field {sorted(unknown)[0][:100]!r}")
    found = {}
    for one in parameters:
        if one.name in about:
            try:
                found[one.name] = convert_value(about[one.name], hints[one.name])
            except msgspec.ValidationError as error:
                raise RequestRefused(400, f"{one.name}: {error}") from None
        elif one.default is inspect.Parameter.empty:
            raise RequestRefused(400, f"the field {one.name!r} is missing")
    return found
