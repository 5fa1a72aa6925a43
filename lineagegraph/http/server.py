"""uvicorn in a thread, on a socket that is bound before anything else starts."""

import gc
import socket
import time
from collections.abc import Callable
from threading import Thread

import uvicorn
from starlette.applications import Starlette

from lineagegraph.errors import SettingsError
from lineagegraph.http.timely_connection import timely_connection
from lineagegraph.http.tls import ReloadedTls
from lineagegraph.settings import Settings
from lineagegraph.views.page_address import url_at

_START_SECONDS = 10.0
_PLAN_SECONDS = 20.0
_ANSWER_SECONDS = 10
_STOP_SECONDS = 35.0
_NEW_OBJECTS = 20_000
"""After so many more the garbage collector looks at them: for 700, as usual, too often."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class HttpServer:
    """Serves an application on a socket of `bind` until stopped, at `url`; over TLS if given."""

    def __init__(
        self, application: Starlette, bound: socket.socket, tls: ReloadedTls | None = None
    ) -> None:
        self._socket = bound
        self._application = application
        self.url = url_of(bound, is_tls=tls is not None)
        settings: Settings = application.state.settings
        config = uvicorn.Config(
            application,
            http=timely_connection(settings.body_seconds),
            # A connection that becomes a WebSocket would be out of reach of the guard.
            ws="none",
            timeout_keep_alive=settings.keep_alive_seconds,
            # A warning for each request that is no HTTP would let clients fill the log.
            log_level="error",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_ANSWER_SECONDS,
            ssl_context_factory=(lambda config, default: tls.context) if tls else None,
        )
        self._server = _Uvicorn(config)
        self._thread = Thread(target=self._serve, name="http", daemon=True)

    def start(self) -> None:
        """Start serving, and return when requests are answered.

        Raises `SettingsError` if another process that bound the port, too, serves it already.
        """
        try:
            self._socket.listen()
        except OSError as error:
            host, port = self._socket.getsockname()[:2]
            raise _port_refused(host, port, error) from error
        # All that is loaded by now stays: no later collection has to go through it.
        gc.freeze()
        # Events that wait to be written are thousands of new objects, and none of them is garbage.
        gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
        self._thread.start()
        _await(lambda: self._server.started, _START_SECONDS)

    def await_ingestion(self, or_until: Callable[[], bool] = lambda: False) -> None:
        """Return when events are written and fire in time: Neo4j has planned how, or is away."""
        is_ingesting = self._application.state.is_ingesting
        _await(lambda: or_until() or is_ingesting(), _PLAN_SECONDS)

    def stop(self) -> None:
        """Take no more requests, answer those in progress, and stop."""
        # A stream has no end of its own, and would be waited for.
        self._application.state.stop_streams()
        self._server.should_exit = True
        self._thread.join(_STOP_SECONDS)

    def _serve(self) -> None:
        self._server.run(sockets=[self._socket])


class _Uvicorn(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A close over TLS waits for an answer, which a client that is idle does not give.
        for connection in list(self.server_state.connections) if self.config.is_ssl else ():
            cycle, transport = getattr(connection, "cycle", None), connection.transport
            if transport is not None and (cycle is None or cycle.response_complete):
                transport.abort()
        await super().shutdown(sockets)


def _await(is_done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not is_done() and time.monotonic() < deadline:
        time.sleep(0.01)


def url_of(bound: socket.socket, *, is_tls: bool) -> str:
    """Return the URL of a server on a socket."""
    host, port = bound.getsockname()[:2]
    return url_at(host, port, is_tls=is_tls)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address: on any other, requests need tokens."""
    return host in _LOOPBACK


def bind(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes a free one. Raises `SettingsError` if it is taken."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        raise _port_refused(host, port, error) from error
    return bound


def _port_refused(host: str, port: int, error: Exception) -> SettingsError:
    return SettingsError(
        f"port {port} on {host} cannot be used ({error}): choose another with --port or "
        "LINEAGEGRAPH_PORT (0 takes a free one)"
    )
