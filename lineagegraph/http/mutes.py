"""The routes of mutes: jobs of whose failures nobody is notified for a while."""

from functools import partial
from typing import Annotated, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin.mutes import list_mutes, mute_job, unmute_job
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Name,
    Reply,
    delete,
    get,
    in_path,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.names import NamedJob


class MuteBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Why a job is muted, and until when."""

    reason: Annotated[str, about(minLength=1, maxLength=2000)]
    until: Annotated[Timestamp, about("Ends then.")]
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None


class MuteAnswer(AnswerStruct):
    """A muted job."""

    namespace: Annotated[str, about("Namespace of the job.")]
    job: Annotated[str, about("Full name of the job.")]
    reason: Annotated[str, about("Reason that the author gave.")]
    author: Annotated[str, about("Who muted it.")]
    created_at: Annotated[Timestamp, about("Time at which it was muted.")]
    expires_at: Annotated[Timestamp, about("End of the mute.")]


_ALL = "/api/v1/mutes"
_ONE = f"{_ALL}/{{job}}"
_JOB = in_path("job", Name, "daily", "Full name of a job, or a unique simple one.")
_NAMESPACE = ApiParameter(
    "namespace",
    str,
    "default",
    "Where the job is, or one above it; the server's default if there is none.",
)
OPERATIONS = tagged(
    "mutes",
    get(
        _ALL,
        "getMutes",
        "The jobs of whose failures nobody is notified now.",
        listing("mutes", MuteAnswer, "Muted jobs, by name."),
        ApiParameter("namespace", str, "default", "Only jobs in this namespace."),
    ),
    put(
        _ONE,
        "muteJob",
        "Notify nobody of failures of a job, and of all below it, until a time.",
        Reply("The mute; it replaces the job's former one.", MuteAnswer),
        _JOB,
        _NAMESPACE,
        body=Body(MuteBody, {"reason": "the vendor is down", "until": "2036-01-01T06:00:00Z"}),
    ),
    delete(
        _ONE,
        "unmuteJob",
        "Notify of the failures of a muted job again.",
        Reply("It is muted no longer.", status=204),
        _JOB,
        _NAMESPACE,
    ),
)


class _Served(NamedTuple):
    """The graph that is served, and the default namespace of jobs."""

    graph: Graph
    namespace: str


def mute_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    served = _Served(graph, settings.namespace)
    endpoints = {
        "getMutes": partial(_list, served),
        "muteJob": partial(_mute, served),
        "unmuteJob": partial(_unmute, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    namespace, cut = request.query_params.get("namespace"), read_cut(request)
    require(caller_of(request), Role.READ, namespace or EVERYWHERE)
    found = [one for one in list_mutes(served.graph) if namespace in (None, one.namespace)]
    part = tuple(found[cut.offset : cut.offset + cut.limit])
    return page_answer("mutes", Page(part, len(found)), partial(answer_from, MuteAnswer))


def _mute(served: _Served, request: Request) -> Response:
    job, said = _find(served, request), body_of(request, MuteBody)
    who = signature_of(request)
    author = f"{said.author} by {who}" if said.author else who
    muted = mute_job(served.graph, job.key, said.reason, said.until, author=author)
    return answer(answer_from(MuteAnswer, muted))


def _unmute(served: _Served, request: Request) -> Response:
    job = _find(served, request)
    unmute_job(served.graph, job.key, job.fqn)
    return Response(status_code=204)


def _find(served: _Served, request: Request) -> NamedJob:
    namespace = request.query_params.get("namespace") or served.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    found = find_job(served.graph, path_name(request, "job"), namespace)
    # A job may be below one of another namespace.
    require(caller_of(request), Role.OPERATE, found.namespace)
    return found
