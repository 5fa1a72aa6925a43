"""The routes, and what each answers."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph


def make_application(graph: Graph) -> Starlette:
    """Return the application that serves one graph."""

    def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "up"})

    def ready(request: Request) -> JSONResponse:
        try:
            graph.ping()
        except GraphError as error:
            return JSONResponse(
                {"status": "waiting", "reason": str(error)}, 503, {"Retry-After": "2"}
            )
        return JSONResponse({"status": "ready"})

    return Starlette(routes=[Route("/health", health), Route("/ready", ready)])
