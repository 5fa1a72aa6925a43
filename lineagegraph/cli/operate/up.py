"""`up`, `down` and `status`: the background processes."""

import logging
import subprocess
import sys
import time
from enum import StrEnum
from functools import partial
from pathlib import Path
from socket import socket
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph import neo4j_server
from lineagegraph.admin.tokens import list_tokens
from lineagegraph.cli.connect import connected, starting
from lineagegraph.cli.console import errors, print_json, program, results
from lineagegraph.cli.operate.forwards import describe_lag
from lineagegraph.cli.operate.service import Service, end_service, find_service
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import GraphError, LineagegraphError, SettingsError
from lineagegraph.graph import Graph, answers
from lineagegraph.http import HttpServer, bind, is_loopback, load_tls, make_application, url_of
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.model.actor import DAEMON, name_process
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.process_environment.handover import handing_over, receive_settings
from lineagegraph.process_environment.task_processes import MARK
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.admin import processes
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.runs import clusters

_DETACHED_SECONDS = 180.0
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
        _detach(settings, only)
    else:
        _stay(settings, only)


def down() -> None:
    """Stop all processes that `up` started, and the managed Neo4j."""
    settings = load_settings()
    note = find_service(settings)
    if note:
        end_service(note, _STOP_SECONDS)
    stopped = False if settings.neo4j_uri else neo4j_server.stop(settings)
    results.print("stopped" if note or stopped else "nothing was running")


def status(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the running processes and their addresses; exit 0 only if all are ready."""
    found = read_status(load_settings())
    if json:
        print_json(found)
    else:
        for name in ("http", "bolt", "browser"):
            results.print(f"{name:<8} {found[name] or 'not running'}")
        for daemon in found["daemons"]:
            results.print(f"daemon   process {daemon['pid']} on {daemon['host']}")
        for one in found["sensors"]:
            results.print(f"sensors  {describe_sensing(one)}")
        for fault in found["faults"]:
            results.print(f"fault    {fault['message']} (on {fault['host']} since {fault['at']})")
        for target in found["forwards"]:
            results.print(f"forward  {describe_lag(target)}")
        for left in found["clusters"]:
            results.print(f"cluster  {describe_leftover_cluster(left)}")
        results.print("ready" if found["ready"] else f"not ready: {found['reason']}")
    raise typer.Exit(0 if found["ready"] else 1)


def describe_sensing(one: dict[str, Any]) -> str:
    """Return one line about a sensor process."""
    polls = f"polls {one['watched']:,} sensors, {one['lag_seconds']:.1f} s late"
    return f"process {one['pid']} on {one['host']} {polls}"


def describe_leftover_cluster(left: dict[str, Any]) -> str:
    """Return one line about a cluster that could not be removed yet."""
    where = f"{left['name'] or 'without a name'} of {left['batch']}, run {left['run_id']}"
    return f"{where}: not removed after {left['tries']} tries: {left['error']}"


def read_status(settings: Settings) -> dict[str, Any]:
    """Return the document of `status --json`; start nothing for it."""
    note = find_service(settings)
    found: dict[str, Any] = {
        "http": note.http if note else None,
        "bolt": settings.neo4j_uri,
        "browser": None,
        "daemons": [],
        "sensors": [],
        "faults": [],
        "forwards": [],
        "clusters": [],
        "ready": False,
        "reason": None,
    }
    try:
        with _running_graph(settings, found) as graph:
            kind, within = processes.DAEMON, processes.ALIVE
            live = graph.read(processes.list_live, kind=kind, within=within, now=None)
            sensing = graph.read(processes.list_sensing, within=within, now=None)
            faults = graph.read(definition_files.list_faults)
            found["clusters"] = msgspec.to_builtins(graph.read(clusters.list_left))
            found["forwards"] = msgspec.to_builtins(read_targets(graph))
        found["faults"] = msgspec.to_builtins(faults)
        found["sensors"] = msgspec.to_builtins(sensing)
        found["daemons"] = [{"id": d.id, "host": d.host, "pid": d.pid} for d in live]
    except LineagegraphError as error:
        found["reason"] = str(error)
        return found
    found["ready"] = bool(note or live)
    found["reason"] = (
        None if found["ready"] else "no daemon is running: start one with `lineagegraph up`"
    )
    return found


def _running_graph(settings: Settings, found: dict[str, Any]) -> Graph:
    """Connect to a Neo4j that is already running."""
    if settings.neo4j_uri:
        secret = settings.neo4j_password
        password = secret.get_secret_value() if secret else ""
        return Graph(
            settings.neo4j_uri,
            settings.neo4j_user,
            password,
            settings.neo4j_database,
            settings.neo4j_ca,
        )
    address = neo4j_server.status(settings, answers).address
    if address is None:
        raise GraphError("Neo4j is not running: start it with `lineagegraph up`")
    found |= {"bolt": address.bolt, "browser": address.browser}
    return Graph(address.bolt, address.user, address.password)


def _stay(settings: Settings, only: ServicePart | None) -> None:
    configure_logs(logging.INFO)
    name_process(DAEMON)
    tls = load_tls(settings) if only is not ServicePart.DAEMON else None
    bound = bind(settings.host, settings.port) if only is not ServicePart.DAEMON else None
    was_running = bool(settings.neo4j_uri) or neo4j_server.status(settings, answers).address
    try:
        with connected(settings) as graph:
            if bound and not is_loopback(settings.host):
                _demand_token(graph, settings)
                if tls is None:
                    errors.print(_PLAIN.format(settings.host))
            own = _with_report_url(settings, bound)
            daemon = Daemon(graph, own) if only is not ServicePart.HTTP else None
            beats = daemon.beats.read if daemon else tuple
            application = make_application(graph, settings, partial(nudge_daemons, graph), beats)
            http = HttpServer(application, bound, tls) if bound else None
            _serve(settings, graph, http, daemon)
    finally:
        if not was_running:
            neo4j_server.stop(settings)


def _with_report_url(settings: Settings, bound: socket | None) -> Settings:
    """Let programs of tasks report to this server, if requests to it need a token."""
    if bound is None or settings.report_url is not None or is_loopback(settings.host):
        return settings
    return settings.model_copy(
        update={"report_url": url_of(bound, is_tls=settings.tls_certificate is not None)}
    )


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
    address = None if settings.neo4j_uri else neo4j_server.status(settings, answers).address
    results.print(f"http     {http.url if http else 'off'}")
    results.print(f"bolt     {graph.uri}")
    if address:
        results.print(f"browser  {address.browser} (`lineagegraph browser` shows the login)")
    results.print(f"daemon   {f'{settings.worker_slots} worker slots' if daemon else 'off'}")
    results.print("ready; Ctrl-C stops everything")


def _detach(settings: Settings, only: ServicePart | None) -> None:
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
        _await_ready(process, settings, path)
    results.print(f"up, process {process.pid}; `{program()} down` stops it")


def _await_ready(process: "subprocess.Popen[bytes]", settings: Settings, log: Path) -> None:
    deadline = time.monotonic() + _DETACHED_SECONDS
    while not ((note := find_service(settings)) and note.pid == process.pid):
        if process.poll() is not None:
            last = log.read_text(errors="replace").strip().splitlines()[-1:]
            raise SettingsError(f"`up` ended: {' '.join(last)} (its log is {log})")
        if time.monotonic() > deadline:
            raise SettingsError(f"`up` is not ready after {_DETACHED_SECONDS:.0f} s: see {log}")
        time.sleep(0.3)
