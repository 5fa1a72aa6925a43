"""The routes of pools: slots that tasks of all pipelines share."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.admin import pools
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about, answer_from
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import (
    Body,
    Reply,
    delete,
    error_reply,
    get,
    in_path,
    listing,
    put,
    routes_of,
    tagged,
)
from lineagegraph.http.plumbing.parameters import read_cut
from lineagegraph.http.plumbing.raw_route import RawRoute, path_text
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.settings import Settings
from lineagegraph.store.runs.pools import PoolRow

Count = Annotated[int, msgspec.Meta(ge=0)]


class PoolBody(msgspec.Struct, forbid_unknown_fields=True):
    """The size that a pool is given."""

    slots: Annotated[int, msgspec.Meta(ge=0, le=pools.MOST_SLOTS)]


class PoolAnswer(AnswerStruct):
    """A pool."""

    name: str
    slots: Count
    taken: Annotated[Count, about("Slots that running tasks hold.")]
    waiting: Annotated[Count, about("Tasks that wait for slots.")]


class PoolTaskAnswer(AnswerStruct):
    """A task that holds or waits for slots."""

    run_id: str
    root_run_id: Annotated[str, about("The run of its pipeline.")]
    job: Annotated[str | None, about("The full name of the task; null: its job was deleted.")]
    slots: Count
    priority: int
    since: Annotated[Timestamp, about("When it first asked.")]
    taken_at: Annotated[Timestamp | None, about("When it got its slots; null: it waits.")]


class PoolDetailsAnswer(AnswerStruct):
    """A pool, and the tasks that hold or wait for its slots, in their order."""

    name: str
    slots: Count
    taken: Count
    waiting: Count
    tasks: list[PoolTaskAnswer]


_ONE = "/api/v1/pools/{pool}"
_NAME = in_path(
    "pool",
    Annotated[str, msgspec.Meta(min_length=1, max_length=pools.LONGEST_NAME)],
    "spark",
    "The name of a pool.",
)
OPERATIONS = tagged(
    "pools",
    get(
        "/api/v1/pools",
        "getPools",
        "Pools, with the slots that are taken and the tasks that wait.",
        listing("pools", PoolAnswer, "Pools by name."),
    ),
    get(
        _ONE,
        "getPool",
        "A pool, and the tasks that hold or wait for its slots.",
        Reply("The pool.", PoolDetailsAnswer),
        _NAME,
    ),
    put(
        _ONE,
        "putPool",
        "Create a pool, or change its number of slots.",
        Reply("The pool as it is now.", PoolDetailsAnswer),
        _NAME,
        body=Body(PoolBody, {"slots": 4}),
        may_miss=False,
    ),
    delete(
        _ONE,
        "deletePool",
        "Delete a pool that no task uses.",
        Reply("It is deleted.", status=204),
        _NAME,
        also=(error_reply(409, "PoolInUse", "Tasks hold or wait for its slots."),),
    ),
)


class _Served(NamedTuple):
    """The graph that is served, and the nudge to daemons."""

    graph: Graph
    nudge: Callable[[], None]


def pool_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes; `nudge` is called when the size of a pool changed."""
    served = _Served(graph, nudge)
    endpoints = {
        "getPools": partial(_list, served),
        "getPool": partial(_get, served),
        "putPool": partial(_put, served),
        "deletePool": partial(_delete, served),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)


def _list(served: _Served, request: Request) -> Response:
    page = Page.of(pools.list_pools(served.graph), read_cut(request))
    return page_answer("pools", page, _pool)


def _get(served: _Served, request: Request) -> Response:
    return _details(served, _name(request))


def _put(served: _Served, request: Request) -> Response:
    name = _name(request)
    pools.set_pool(served.graph, name, body_of(request, PoolBody).slots)
    served.nudge()
    return _details(served, name)


def _delete(served: _Served, request: Request) -> Response:
    pools.delete_pool(served.graph, _name(request))
    return Response(status_code=204)


def _details(served: _Served, name: str) -> Response:
    found = pools.read_pool(served.graph, name)
    tasks = [answer_from(PoolTaskAnswer, one, root_run_id=one.root_id) for one in found.claims]
    return answer(answer_from(PoolDetailsAnswer, found.pool, tasks=tasks))


def _name(request: Request) -> str:
    return path_text(request, "pool")


def _pool(one: PoolRow) -> PoolAnswer:
    return answer_from(PoolAnswer, one)
