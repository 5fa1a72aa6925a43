"""The routes that show whether the server and Neo4j are up."""

from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.plumbing.answers import AnswerStruct
from lineagegraph.http.plumbing.operations import RETRY_AFTER, Reply, plain, routes_of, tagged
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer


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


def health_routes(graph: Graph) -> list[RawRoute]:
    """Return the routes."""

    def health(request: Request) -> Response:
        return answer(HealthAnswer("up"))

    def ready(request: Request) -> Response:
        try:
            graph.ping()
        except GraphError as error:
            waiting = answer(WaitingForGraphAnswer("waiting", str(error)), 503)
            waiting.headers["Retry-After"] = "2"
            return waiting
        return answer(ReadyAnswer("ready"))

    return routes_of(OPERATIONS, {"getHealth": health, "getReady": ready})
