"""The routes of the pause of all triggers."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import signature_of
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    Body,
    Reply,
    delete,
    get,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer
from lineagegraph.settings import Settings
from lineagegraph.store.triggers.pauses import get_pause
from lineagegraph.triggers.pause import pause_all, resume_all


class PauseBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Why all triggers are paused, and until when."""

    reason: Annotated[str, about(minLength=1, maxLength=2000)]
    until: Annotated[Timestamp | None, about("Ends then; without it, when it is deleted.")] = None
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None


class ActivePauseAnswer(AnswerStruct):
    """A pause of all triggers."""

    reason: Annotated[str, about("Reason that the author gave.")]
    author: Annotated[str, about("Who paused them.")]
    since: Annotated[Timestamp, about("Its start.")]
    until: Annotated[Timestamp | None, about("Its end; null until it is ended by hand.")]


class PauseAnswer(AnswerStruct):
    """Whether all triggers are paused."""

    pause: Annotated[ActivePauseAnswer | None, about("The pause; null if triggers fire.")]


_PATH = "/api/v1/pause"
OPERATIONS = tagged(
    "triggers",
    get(_PATH, "getPause", "The pause of all triggers.", Reply("As it is now.", PauseAnswer)),
    put(
        _PATH,
        "pauseTriggers",
        "Let no trigger start a run until a time; runs by hand still start.",
        Reply("The pause; it replaces reason and end of an earlier one.", PauseAnswer),
        body=Body(PauseBody, {"reason": "weekend", "until": "2036-01-01T06:00:00Z"}),
    ),
    delete(
        _PATH,
        "resumeTriggers",
        "Let triggers start runs again before the end of a pause.",
        Reply("They start runs again.", status=204),
        also=(NOT_FOUND,),
    ),
)


def pause_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when triggers start runs again."""
    endpoints = {
        "getPause": partial(_get, graph),
        "pauseTriggers": partial(_pause, graph),
        "resumeTriggers": partial(_resume, graph, nudge),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _get(graph: Graph, request: Request) -> Response:
    found = graph.read(get_pause, now=None)
    is_active = found is not None and not found.is_over
    return answer(PauseAnswer(answer_from(ActivePauseAnswer, found) if is_active else None))


def _pause(graph: Graph, request: Request) -> Response:
    said, who = body_of(request, PauseBody), signature_of(request)
    author = f"{said.author} by {who}" if said.author else who
    graph.write(pause_all, said.reason, said.until, author=author)
    return _get(graph, request)


def _resume(graph: Graph, nudge: Callable[[], None], request: Request) -> Response:
    graph.write(resume_all)
    nudge()
    return Response(status_code=204)
