"""The routes of the skip list."""

from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import skips
from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require, signature_of
from lineagegraph.http.marquez.bodies import body_of, with_body
from lineagegraph.http.marquez.parameters import one_of, path_name, read_cut
from lineagegraph.http.marquez.raw_route import RawRoute
from lineagegraph.http.marquez.reads import Reads, answer, page_answer
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings
from lineagegraph.store.admin.skips import SkipRow, count_skips

_YES_NO = {"true": True, "false": False}
_CENTURY = 3_153_600_000.0
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=_CENTURY)]
_Time = Annotated[datetime, msgspec.Meta(tz=True)]


class SkipBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A job to skip, and why."""

    job: str
    reason: str
    namespace: str | None = None
    author: str | None = None
    for_seconds: _Seconds | None = None
    until: _Time | None = None


class _Served(NamedTuple):
    """The graph that is served, and where jobs are that name no namespace."""

    graph: Graph
    namespace: str


def skip_routes(graph: Graph, settings: Settings) -> list[RawRoute]:
    """Return the routes."""
    served = _Served(graph, settings.namespace)
    reads = Reads(graph, settings.inherit_namespace, settings.max_body_bytes)
    path = "/api/v1/skips"
    return [
        RawRoute(path, partial(_list, served), methods=["GET"]),
        RawRoute(path, with_body(reads, partial(_add, served)), methods=["POST"]),
        RawRoute(f"{path}/{{skip}}", partial(_get, served), methods=["GET"]),
        RawRoute(f"{path}/{{skip}}", partial(_remove, served), methods=["DELETE"]),
    ]


def _list(served: _Served, request: Request) -> Response:
    namespace = request.query_params.get("namespace")
    require(caller_of(request), Role.READ, namespace or EVERYWHERE)
    ended, cut = one_of(request, "all", _YES_NO, "false"), read_cut(request)
    found = skips.list_skips(
        served.graph, ended=ended, namespace=namespace, limit=cut.limit, offset=cut.offset
    )
    total = served.graph.read(count_skips, ended=ended, namespace=namespace, now=None)
    return page_answer("skips", Page(tuple(found), total), _shape)


def _get(served: _Served, request: Request) -> Response:
    return answer(_shape(_find(served, request, Role.READ)))


def _add(served: _Served, request: Request) -> Response:
    said = body_of(request, SkipBody)
    namespace = said.namespace or served.namespace
    require(caller_of(request), Role.OPERATE, namespace)
    job = find_job(served.graph, said.job, namespace)
    who = signature_of(request)
    added = skips.add_skip(
        served.graph,
        job.key,
        said.reason,
        author=f"{said.author} by {who}" if said.author else who,
        lasting=timedelta(seconds=said.for_seconds) if said.for_seconds else None,
        until=said.until,
    )
    answered = answer(_shape(added))
    answered.status_code = 201
    return answered


def _remove(served: _Served, request: Request) -> Response:
    found = _find(served, request, Role.OPERATE)
    return answer(_shape(skips.remove_skip(served.graph, found.id, by=signature_of(request))))


def _find(served: _Served, request: Request, role: Role) -> SkipRow:
    found = skips.find_skip(served.graph, path_name(request, "skip"))
    require(caller_of(request), role, found.namespace)
    return found


def _shape(one: SkipRow) -> dict[str, Any]:
    return {
        "id": one.id,
        "namespace": one.namespace,
        "job": one.job,
        "reason": one.reason,
        "author": one.author,
        "state": one.state,
        "createdAt": one.created_at,
        "expiresAt": one.expires_at,
        "removedAt": one.removed_at,
        "removedBy": one.removed_by,
    }
