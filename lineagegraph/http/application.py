"""The ASGI application: all routes, and how errors are answered."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import (
    BackfillConflict,
    BackfillRefused,
    ChangedMeanwhile,
    DefinitionError,
    GraphError,
    InvalidFreshness,
    InvalidMute,
    InvalidName,
    InvalidPause,
    InvalidPool,
    InvalidRule,
    InvalidSensor,
    InvalidSkip,
    InvalidVariable,
    NameTaken,
    NotFound,
    PoolInUse,
    RunError,
    RunRefused,
    SettleRefused,
)
from lineagegraph.graph import Graph
from lineagegraph.http.access import (
    Access,
    AllowedHosts,
    CallerLimits,
    ClaimWatch,
    Credentials,
    Guard,
    KnownSessions,
    KnownTokens,
    LastUses,
    LimitedRequests,
    RunTokens,
    load_login,
)
from lineagegraph.http.audit import audit_routes
from lineagegraph.http.backfills import backfill_routes
from lineagegraph.http.batches import batch_routes
from lineagegraph.http.claims import claim_routes
from lineagegraph.http.external_events import external_event_routes
from lineagegraph.http.forecast import forecast_routes
from lineagegraph.http.freshness import freshness_routes
from lineagegraph.http.health import health_routes
from lineagegraph.http.ingest import Ingestion
from lineagegraph.http.marquez import marquez_routes
from lineagegraph.http.metrics import metrics_route
from lineagegraph.http.mutes import mute_routes
from lineagegraph.http.openapi import openapi_route
from lineagegraph.http.page.answers import view_routes
from lineagegraph.http.page.files import file_routes
from lineagegraph.http.pause import pause_routes
from lineagegraph.http.pipeline_runs import pipeline_run_routes
from lineagegraph.http.plumbing.answer_threads import answer_threads
from lineagegraph.http.plumbing.body_room import BodyRoom
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.pools import pool_routes
from lineagegraph.http.programs import program_routes
from lineagegraph.http.reruns import rerun_routes
from lineagegraph.http.run_states import RunStates
from lineagegraph.http.schedules import schedule_routes
from lineagegraph.http.sensors import sensor_routes
from lineagegraph.http.server import is_loopback
from lineagegraph.http.sessions import session_routes
from lineagegraph.http.skips import skip_routes
from lineagegraph.http.trends import trend_routes
from lineagegraph.http.triggers import trigger_routes
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

    refused: Counter[str] = Counter()
    is_open = is_loopback(settings.host)
    limits = CallerLimits(settings, is_open, refused)
    ingestion = Ingestion(graph, settings, nudge, limits)
    uses = LastUses(graph, settings.session_idle)
    tokens = KnownTokens(graph, uses)
    login = load_login(settings)
    sessions = KnownSessions(graph, settings, tokens, login, uses)
    credentials = Credentials(tokens, RunTokens(graph), sessions, login)
    claims = ClaimWatch(graph, settings, KnownTokens(graph, uses), nudge)
    run_states = RunStates(graph, settings, limits)

    def is_ingesting() -> bool:
        return ingestion.is_running

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        claims.start()
        with ingestion.running(), uses.running():
            yield
        await run_in_threadpool(claims.stop)

    application = Starlette(
        routes=[
            *health_routes(graph, is_ingesting),
            metrics_route(graph, settings, ingestion.counts, refused, beats),
            openapi_route(),
            *ingestion.routes,
            *run_states.routes,
            *marquez_routes(graph, settings, ingestion.take),
            *pipeline_run_routes(graph, settings, nudge),
            *schedule_routes(graph, settings),
            *program_routes(graph, settings, nudge),
            *backfill_routes(graph, settings, nudge),
            *rerun_routes(graph, settings, nudge),
            *external_event_routes(graph, settings, nudge),
            *variable_routes(graph, settings, nudge),
            *pool_routes(graph, settings, nudge),
            *skip_routes(graph, settings),
            *mute_routes(graph, settings),
            *forecast_routes(graph, settings),
            *trend_routes(graph, settings),
            *pause_routes(graph, settings, nudge),
            *trigger_routes(graph, settings, nudge),
            *batch_routes(graph, settings, nudge),
            *freshness_routes(graph, settings),
            *sensor_routes(graph, settings, nudge),
            *audit_routes(graph, settings.max_body_bytes),
            *claim_routes(graph, settings.max_body_bytes),
            *session_routes(sessions, login, settings),
            *view_routes(graph, settings, nudge),
            *file_routes(settings),
        ],
        exception_handlers={
            RequestRefused: _refuse,
            NotFound: partial(_answer, 404),
            NameTaken: partial(_answer, 409),
            ChangedMeanwhile: partial(_answer, 409),
            InvalidName: partial(_answer, 400),
            InvalidVariable: partial(_answer, 400),
            InvalidSkip: partial(_answer, 400),
            InvalidPool: partial(_answer, 400),
            PoolInUse: partial(_answer, 409),
            InvalidFreshness: partial(_answer, 400),
            InvalidRule: partial(_answer, 400),
            InvalidSensor: partial(_answer, 400),
            DefinitionError: partial(_answer, 400),
            InvalidMute: partial(_answer, 400),
            InvalidPause: partial(_answer, 400),
            SettleRefused: partial(_answer, 409),
            RunRefused: partial(_answer, 400),
            RunError: partial(_answer, 409),
            BackfillRefused: partial(_answer, 400),
            BackfillConflict: partial(_answer, 409),
            GraphError: _fail,
            HTTPException: _reject,
        },
        middleware=[
            Middleware(
                Guard,
                hosts=AllowedHosts(settings.host, settings.allowed_hosts),
                origins=frozenset(settings.allowed_origins),
                refused=refused,
            ),
            Middleware(Access, credentials=credentials, is_open=is_open),
            Middleware(LimitedRequests, limits=limits),
            Middleware(
                BodyRoom,
                seconds=settings.body_seconds,
                most_bytes=settings.max_bodies_bytes,
                refused=refused,
            ),
        ],
        lifespan=lifespan,
    )
    application.state.stop_streams = run_states.stop
    application.state.is_ingesting = is_ingesting
    application.state.settings = settings
    application.state.answer_threads = answer_threads()
    return application


# Without `async` they would wait for a thread, of which reads may hold all.
async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    return error.answer()


async def _answer(status: int, request: Request, error: Exception) -> Response:
    return RequestRefused(status, str(error)).answer()


async def _fail(request: Request, error: Exception) -> Response:
    return RequestRefused(503, str(error), retry_after=5).answer()


async def _reject(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    return RequestRefused(error.status_code, str(error.detail), headers=headers).answer()
