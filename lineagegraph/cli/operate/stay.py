"""The process of `up`: Neo4j, the HTTP server and the daemon, until a signal ends it."""

import logging
import signal
from contextlib import suppress
from functools import partial
from socket import socket

from lineagegraph import neo4j_server
from lineagegraph.admin.tokens import list_tokens
from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import errors, program, results
from lineagegraph.cli.operate.note import claimed_home
from lineagegraph.cli.operate.service import Service
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import SettingsError
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, is_loopback, load_tls, make_application, url_of
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.model.actor import DAEMON, name_process
from lineagegraph.settings import Settings

_PLAIN = (
    "warning: host {} is served without TLS, so the network can read tokens: set tls_certificate "
    "and tls_key, or let only a TLS proxy reach it"
)


def stay(settings: Settings, *, is_served: bool, has_daemon: bool) -> None:
    """Run the parts until a signal, and then stop the managed Neo4j if this started it."""
    # As Ctrl-C does, it stops a Neo4j that this started, also one that is still starting.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    configure_logs(logging.INFO)
    name_process(DAEMON)
    with claimed_home(settings):
        _stay(settings, is_served=is_served, has_daemon=has_daemon)


def _stay(settings: Settings, *, is_served: bool, has_daemon: bool) -> None:
    tls = load_tls(settings) if is_served else None
    bound = bind(settings.host, settings.port) if is_served else None
    was_running = bool(settings.neo4j_uri) or neo4j_server.live_address(settings)
    try:
        with connected(settings) as graph:
            if bound and not is_loopback(settings.host):
                _demand_token(graph, settings)
                if tls is None:
                    errors.print(_PLAIN.format(settings.host))
            own = _with_addresses(settings, bound)
            daemon = Daemon(graph, own) if has_daemon else None
            beats = daemon.beats.read if daemon else tuple
            application = make_application(graph, settings, partial(nudge_daemons, graph), beats)
            http = HttpServer(application, bound, tls) if bound else None
            _serve(settings, graph, http, daemon)
    finally:
        if not was_running:
            neo4j_server.stop(settings)


def _with_addresses(settings: Settings, bound: socket | None) -> Settings:
    """Name this server's port for links, and its URL for tasks if requests to it need a token."""
    if bound is None:
        return settings
    changes: dict[str, object] = {"port": bound.getsockname()[1]}
    if settings.report_url is None and not is_loopback(settings.host):
        changes["report_url"] = url_of(bound, is_tls=settings.tls_certificate is not None)
    return settings.model_copy(update=changes)


def _demand_token(graph: Graph, settings: Settings) -> None:
    if not settings.oidc_issuer and not list_tokens(graph):
        raise SettingsError(
            f"host {settings.host} serves the network, which needs a token: `{program()} token add "
            "NAME --role read --namespace '*'` makes one"
        )


def _serve(
    settings: Settings, graph: Graph, http: HttpServer | None, daemon: Daemon | None
) -> None:
    service = Service(graph, settings, http, daemon)
    is_ready = service.start()
    try:
        # On a full disk, and after the reader of a pipe, the service goes on.
        with suppress(OSError):
            if is_ready:
                _print_addresses(settings, graph, http, daemon)
        service.wait()
        with suppress(OSError):
            errors.print("stopping (Ctrl-C again stops at once)")
    finally:
        service.stop()


def _print_addresses(
    settings: Settings, graph: Graph, http: HttpServer | None, daemon: Daemon | None
) -> None:
    address = None if settings.neo4j_uri else neo4j_server.live_address(settings)
    results.print(f"http     {http.url if http else 'off'}")
    results.print(f"bolt     {graph.uri}")
    if address:
        results.print(f"browser  {address.browser} (`lineagegraph browser` shows the login)")
    results.print(f"daemon   {f'{settings.worker_slots} worker slots' if daemon else 'off'}")
    results.print("ready; Ctrl-C stops everything")
