"""The routes that show whether the server and Neo4j are up."""

from collections.abc import Callable
from typing import Literal

from anyio import CapacityLimiter, fail_after, to_thread
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct
from lineagegraph.http.plumbing.operations import RETRY_AFTER, Reply, plain, routes_of, tagged
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer

_THREADS = 2
_PATIENCE_SECONDS = 0.8


class HealthAnswer(AnswerStruct):
    """The server is up."""

    status: Literal["up"]


class ReadyAnswer(AnswerStruct):
    """Neo4j answers."""

    status: Literal["ready"]


class WaitingForGraphAnswer(AnswerStruct):
    """Neo4j does not answer."""

    status: Literal["waiting"]
    reason: str


OPERATIONS = tagged(
    "server",
    plain(
        "/health", "getHealth", "Whether the server is running.", Reply("It runs.", HealthAnswer)
    ),
    plain(
        "/ready",
        "getReady",
        "Whether the server and Neo4j answer.",
        Reply("It does.", ReadyAnswer),
        Reply(
            "Not ready, with the reason.",
            WaitingForGraphAnswer,
            503,
            headers={"Retry-After": RETRY_AFTER},
        ),
    ),
)


def health_routes(graph: Graph, is_ingesting: Callable[[], bool]) -> list[RawRoute]:
    """Return the routes."""
    # Threads of their own: those of the other routes may all wait for Neo4j.
    threads = CapacityLimiter(_THREADS)

    async def health(request: Request) -> Response:
        return answer(HealthAnswer("up"))

    async def ready(request: Request) -> Response:
        try:
            with fail_after(_PATIENCE_SECONDS):
                await to_thread.run_sync(graph.ping, abandon_on_cancel=True, limiter=threads)
        except GraphError as error:
            return _waiting(str(error))
        except TimeoutError:
            return _waiting(f"Neo4j has not answered within {_PATIENCE_SECONDS} s")
        if not is_ingesting():
            return _waiting("events are not written in time yet: see the log")
        return answer(ReadyAnswer("ready"))

    return routes_of(OPERATIONS, {"getHealth": health, "getReady": ready})


def _waiting(reason: str) -> Response:
    waiting = answer(WaitingForGraphAnswer("waiting", reason), 503)
    waiting.headers["Retry-After"] = "2"
    return waiting
