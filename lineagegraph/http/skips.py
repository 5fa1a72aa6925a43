"""The routes of the skip list."""

from datetime import timedelta
from functools import partial
from typing import Annotated, Literal, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import skips
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    NOT_FOUND,
    ApiParameter,
    Body,
    Reply,
    delete,
    get,
    in_path,
    listing,
    post,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import one_of, path_name, read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings
from lineagegraph.store.admin.skips import SkipRow, count_skips

_YES_NO = {"true": True, "false": False}
_CENTURY = 3_153_600_000.0
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=_CENTURY)]


class SkipBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A job to skip, and why."""

    job: Annotated[
        str,
        about(
            "Full name of a job, or a unique simple one: a task, or a batch with all its tasks.",
            minLength=1,
        ),
    ]
    reason: Annotated[str, about(minLength=1, maxLength=2000)]
    namespace: Annotated[
        str | None,
        about("Where the job is, or one above it; the server's default if there is none."),
    ] = None
    author: Annotated[
        str | None, about("For whom; who asked is noted in any case.", maxLength=100)
    ] = None
    for_seconds: Annotated[_Seconds | None, about("Ends after so long.")] = None
    until: Annotated[Timestamp | None, about("Ends then.")] = None


class SkipAnswer(AnswerStruct):
    """An entry of the skip list."""

    id: Annotated[str, about("Id of the entry.")]
    namespace: Annotated[str, about("Namespace of the skipped job.")]
    job: Annotated[str, about("Full name of the skipped job.")]
    reason: Annotated[str, about("Reason that the author gave.")]
    author: Annotated[str, about("User who added it.")]
    state: Annotated[
        Literal["IN_FORCE", "EXPIRED", "REMOVED"],
        about("IN_FORCE while it applies, then EXPIRED or REMOVED."),
    ]
    created_at: Annotated[Timestamp, about("Time at which it was added.")]
    expires_at: Annotated[
        Timestamp | None, about("Time from which it no longer applies; null for never.")
    ]
    removed_at: Annotated[
        Timestamp | None, about("Time of its removal; null if it was not removed.")
    ]
    removed_by: Annotated[
        str | None, about("User who removed or replaced it; null if it was not removed.")
    ]


_ALL = "/api/v1/skips"
_ONE = f"{_ALL}/{{skip}}"
_ID = in_path(
    "skip",
    Annotated[str, msgspec.Meta(min_length=1, max_length=200)],
    "00000000-0000-7000-8000-000000005c1b",
    "The id of an entry, or a unique start of it.",
)
OPERATIONS = tagged(
    "skips",
    get(
        _ALL,
        "getSkips",
        "The skip list: jobs that runs leave out for a while.",
        listing("skips", SkipAnswer, "Entries, the newest first."),
        ApiParameter(
            "all", bool, True, "Entries that expired or were removed, too.", default=False
        ),
        ApiParameter("namespace", str, "default", "Only entries of jobs in this namespace."),
    ),
    post(
        _ALL,
        "addSkip",
        "Skip a job, with all below it, in the runs that begin from now on.",
        Reply("The new entry; it replaces the job's former one.", SkipAnswer, 201),
        body=Body(
            SkipBody, {"job": "daily", "reason": "the vendor's file is broken", "forSeconds": 86400}
        ),
        also=(NOT_FOUND,),
    ),
    get(
        _ONE,
        "getSkip",
        "An entry of the skip list, active or ended.",
        Reply("The entry.", SkipAnswer),
        _ID,
    ),
    delete(
        _ONE,
        "removeSkip",
        "Skip the job no longer; the entry stays in the history.",
        Reply("The entry as it is now.", SkipAnswer),
        _ID,
    ),
)


class _Served(NamedTuple):
    """The graph that is served, and the default namespace of jobs."""

    graph: Graph
    namespace: str


def skip_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    served = _Served(graph, settings.namespace)
    endpoints = {
        "getSkips": partial(_list, served),
        "addSkip": partial(_add, served),
        "getSkip": partial(_get, served),
        "removeSkip": partial(_remove, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    namespace = request.query_params.get("namespace")
    require(caller_of(request), Role.READ, namespace or EVERYWHERE)
    ended, cut = one_of(request, "all", _YES_NO, "false"), read_cut(request)
    found = skips.list_skips(
        served.graph, ended=ended, namespace=namespace, limit=cut.limit, offset=cut.offset
    )
    total = served.graph.read(count_skips, ended=ended, namespace=namespace, now=None)
    return page_answer("skips", Page(tuple(found), total), _answer)


def _get(served: _Served, request: Request) -> Response:
    return answer(_answer(_find(served, request, Role.READ)))


def _add(served: _Served, request: Request) -> Response:
    said = body_of(request, SkipBody)
    namespace = said.namespace or served.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    job = find_job(served.graph, said.job, namespace)
    # The namespace may be one above the job: whoever adds an entry can also remove it.
    require(caller_of(request), Role.OPERATE, job.namespace)
    who = signature_of(request)
    added = skips.add_skip(
        served.graph,
        job.key,
        said.reason,
        author=f"{said.author} by {who}" if said.author else who,
        lasting=timedelta(seconds=said.for_seconds) if said.for_seconds else None,
        until=said.until,
    )
    return answer(_answer(added), 201)


def _remove(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    return answer(_answer(skips.remove_skip(served.graph, found.id, by=signature_of(request))))


def _find(served: _Served, request: Request, role: Role) -> SkipRow:
    found = skips.find_skip(served.graph, path_name(request, "skip"))
    require(caller_of(request), role, found.namespace)
    return found


def _answer(one: SkipRow) -> SkipAnswer:
    return answer_from(SkipAnswer, one)
