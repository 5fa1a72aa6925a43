"""`up`: run the background processes."""

import logging
import subprocess
import sys
import time
from enum import StrEnum
from functools import partial
from pathlib import Path
from socket import socket
from typing import Annotated

import typer

from lineagegraph import neo4j_server
from lineagegraph.admin.tokens import list_tokens
from lineagegraph.cli.connect import connected, starting
from lineagegraph.cli.console import errors, program, results
from lineagegraph.cli.operate.note import Note, find_service
from lineagegraph.cli.operate.service import Service
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import SettingsError
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, is_loopback, load_tls, make_application, url_of
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.model.actor import DAEMON, name_process
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.process_environment.handover import handing_over, receive_settings
from lineagegraph.process_environment.task_processes import MARK
from lineagegraph.settings import Settings
from lineagegraph.text import format_age

_STILL_SECONDS = 60.0
_STOP_SECONDS = 40.0
_PLAIN = (
    "warning: host {} is served without TLS, so the network can read tokens: set tls_certificate "
    "and tls_key, or let only a TLS proxy reach it"
)


class ServicePart(StrEnum):
    """The parts that `up` can be limited to."""

    HTTP = "http"
    DAEMON = "daemon"


def up(
    host: Annotated[str | None, typer.Option(help="Host or address to serve HTTP on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port; 0 chooses a free one.")] = None,
    only: Annotated[
        ServicePart | None, typer.Option(help="Run only the HTTP server or only the daemon.")
    ] = None,
    detach: Annotated[bool, typer.Option(help="Run in the background; return when ready.")] = False,
) -> None:
    """Run Neo4j, the HTTP server and the daemon until Ctrl-C."""
    overrides = {"host": host, "port": port}
    settings = receive_settings(restore=True).model_copy(
        update={k: v for k, v in overrides.items() if v is not None}
    )
    conceal_environment()
    if (running := find_service(settings)) is not None:
        raise SettingsError(
            f"lineagegraph is up already (process {running.pid}, {running.http or 'no HTTP'}): "
            f"`{program()} down` stops it"
        )
    if detach:
        note = start_detached(settings, only)
        at = f" at {note.http}" if note.http else ""
        results.print(f"up{at}, process {note.pid}; `{program()} down` stops it")
    else:
        _stay(settings, only)


def _stay(settings: Settings, only: ServicePart | None) -> None:
    configure_logs(logging.INFO)
    name_process(DAEMON)
    tls = load_tls(settings) if only is not ServicePart.DAEMON else None
    bound = bind(settings.host, settings.port) if only is not ServicePart.DAEMON else None
    was_running = bool(settings.neo4j_uri) or neo4j_server.live_address(settings)
    try:
        with connected(settings) as graph:
            if bound and not is_loopback(settings.host):
                _demand_token(graph, settings)
                if tls is None:
                    errors.print(_PLAIN.format(settings.host))
            own = _with_addresses(settings, bound)
            daemon = Daemon(graph, own) if only is not ServicePart.HTTP else None
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
    service.start()
    _print_addresses(settings, graph, http, daemon)
    try:
        service.wait()
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


def start_detached(settings: Settings, only: ServicePart | None = None) -> Note:
    """Start `up` in the background, and return its note when it is ready."""
    command = [sys.executable, "-m", "lineagegraph.cli", "up"]
    command += ["--only", only.value] if only else []
    if not settings.neo4j_uri:
        with starting() as progress:
            neo4j_server.prepare(settings, progress)
    path = private_folder(settings.home) / "up.log"
    with open_private(path, "ab") as output, handing_over(settings) as given:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # A daemon that a task starts outlives the task.
            env=given.environment | {MARK: ""},
            pass_fds=given.descriptors,
            start_new_session=True,
        )
    with errors.status("starting"):
        return await_ready(process, settings, path)


def await_ready(process: "subprocess.Popen[bytes]", settings: Settings, log: Path) -> Note:
    """Wait until a started `up` is ready, as long as it lives; raise `SettingsError` if it ends."""
    began = told = time.monotonic()
    while not ((note := find_service(settings)) and note.pid == process.pid):
        if process.poll() is not None:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise SettingsError(f"`up` ended: {' '.join(last)} (its log is {log})")
        if (now := time.monotonic()) - told > _STILL_SECONDS:
            errors.print(f"still starting after {format_age(now - began)}: its log is {log}")
            told = now
        time.sleep(0.3)
    return note
