"""The ASGI application: all routes, and how errors are answered."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import (
    BackfillConflict,
    BackfillRefused,
    GraphError,
    InvalidFreshness,
    InvalidName,
    InvalidParameter,
    InvalidRule,
    InvalidSensor,
    InvalidSkip,
    InvalidVariable,
    NameTaken,
    NotFound,
)
from lineagegraph.graph import Graph
from lineagegraph.http.access import Access, KnownTokens, RunTokens
from lineagegraph.http.backfills import backfill_routes
from lineagegraph.http.external_events import external_event_routes
from lineagegraph.http.freshness import freshness_routes
from lineagegraph.http.health import health_routes
from lineagegraph.http.ingest import Ingestion
from lineagegraph.http.marquez import marquez_routes
from lineagegraph.http.metrics import metrics_route
from lineagegraph.http.openapi import openapi_route
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.reruns import rerun_routes
from lineagegraph.http.run_states import RunStates
from lineagegraph.http.schedules import schedule_routes
from lineagegraph.http.sensors import sensor_routes
from lineagegraph.http.server import is_loopback
from lineagegraph.http.skips import skip_routes
from lineagegraph.http.variables import variable_routes
from lineagegraph.model.names.ticks import Beat
from lineagegraph.settings import Settings


def make_application(
    graph: Graph,
    settings: Settings,
    nudge: Callable[[], None] = lambda: None,
    beats: Callable[[], Iterable[Beat]] = tuple,
) -> Starlette:
    """Return the application that serves one graph; `nudge` is called when a trigger fired.

    `beats` gives the heartbeats of this process's daemon, if there is one.
    """

    ingestion = Ingestion(graph, settings, nudge)
    tokens = KnownTokens(graph)
    run_states = RunStates(graph, settings.inherit_namespace, tokens)

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        with ingestion.running():
            yield

    application = Starlette(
        routes=[
            *health_routes(graph),
            metrics_route(graph, settings, ingestion.counts, beats),
            openapi_route(),
            *ingestion.routes,
            *run_states.routes,
            *marquez_routes(graph, settings, ingestion.take),
            *schedule_routes(graph, settings),
            *backfill_routes(graph, settings, nudge),
            *rerun_routes(graph, settings, nudge),
            *external_event_routes(graph, settings, nudge),
            *variable_routes(graph, settings, nudge),
            *skip_routes(graph, settings),
            *freshness_routes(graph, settings),
            *sensor_routes(graph, settings, nudge),
        ],
        exception_handlers={
            RequestRefused: _refuse,
            NotFound: partial(_answer, 404),
            NameTaken: partial(_answer, 409),
            InvalidName: partial(_answer, 400),
            InvalidVariable: partial(_answer, 400),
            InvalidSkip: partial(_answer, 400),
            InvalidFreshness: partial(_answer, 400),
            InvalidRule: partial(_answer, 400),
            InvalidSensor: partial(_answer, 400),
            InvalidParameter: partial(_answer, 400),
            BackfillRefused: partial(_answer, 400),
            BackfillConflict: partial(_answer, 409),
            GraphError: _fail,
            HTTPException: _reject,
        },
        middleware=[
            Middleware(
                Access, tokens=tokens, runs=RunTokens(graph), is_open=is_loopback(settings.host)
            )
        ],
        lifespan=lifespan,
    )
    application.state.stop_streams = run_states.stop
    return application


def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    return error.answer()


def _answer(status: int, request: Request, error: Exception) -> Response:
    return RequestRefused(status, str(error)).answer()


def _fail(request: Request, error: Exception) -> Response:
    return RequestRefused(503, str(error), retry_after=5).answer()


def _reject(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    return RequestRefused(error.status_code, str(error.detail), headers=headers).answer()
