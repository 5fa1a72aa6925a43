"""`up`, `down` and `status`: the background processes."""

import logging
import subprocess
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from math import inf
from pathlib import Path
from socket import socket
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph import neo4j_server
from lineagegraph.admin.mutes import describe_mute, list_mutes
from lineagegraph.admin.pools import list_pools
from lineagegraph.admin.tokens import list_tokens
from lineagegraph.cli.connect import connected, starting
from lineagegraph.cli.console import errors, print_json, program, results
from lineagegraph.cli.operate.forwards import describe_lag
from lineagegraph.cli.operate.pool import describe_pool
from lineagegraph.cli.operate.service import Note, Service, drain_service, end_service, find_service
from lineagegraph.daemon.daemon import Daemon
from lineagegraph.errors import GraphError, LineagegraphError, SettingsError
from lineagegraph.graph import Graph, answers
from lineagegraph.http import HttpServer, bind, is_loopback, load_tls, make_application, url_of
from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.liveness.logs import configure_logs
from lineagegraph.model.actor import DAEMON, name_process
from lineagegraph.model.typed import convert_value
from lineagegraph.private_files import open_private, private_folder
from lineagegraph.process_environment.conceal import conceal_environment
from lineagegraph.process_environment.handover import handing_over, receive_settings
from lineagegraph.process_environment.task_processes import MARK
from lineagegraph.queries.jobs.outbox import read_targets
from lineagegraph.queries.pins import describe_pin, read_pins
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.admin import processes
from lineagegraph.store.admin.mutes import MuteRow
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.pipelines.versions import PinRow
from lineagegraph.store.runs import clusters
from lineagegraph.store.runs.pools import PoolRow
from lineagegraph.store.triggers.firings import list_dead_triggers
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.text import format_age, format_count, read_duration
from lineagegraph.triggers.pause import describe_pause

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
        results.print(f"up, process {note.pid}; `{program()} down` stops it")
    else:
        _stay(settings, only)


def _read_seconds(text: str) -> float:
    seconds = read_duration(text)
    if seconds is None:
        raise typer.BadParameter(f"{text!r} is not a duration: write it as 90s, 30m or 2h")
    return seconds


def down(
    drain: Annotated[
        bool, typer.Option("--drain", help="Start no more runs, and let those under way end first.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=_read_seconds,
            metavar="TIME",
            help="With --drain: time after which the remaining runs are ended, such as 30m.",
        ),
    ] = None,
) -> None:
    """Stop all processes that `up` started, and the managed Neo4j."""
    if timeout is not None and not drain:
        raise typer.BadParameter("it needs --drain", param_hint="--timeout")
    settings = load_settings()
    note = find_service(settings)
    if note and not (drain and drain_service(settings, note, timeout or inf, _print_drained)):
        end_service(note, _STOP_SECONDS)
    stopped = False if settings.neo4j_uri else neo4j_server.stop(settings)
    results.print("stopped" if note or stopped else "nothing was running")


def _print_drained(jobs: tuple[str, ...]) -> None:
    said = f"waiting for {format_count(len(jobs), 'run')}: {', '.join(jobs)}"
    errors.print(said if jobs else "all runs have ended")


def status(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the running processes and their addresses; exit 0 only if all are ready."""
    found = read_status(load_settings())
    if json:
        print_json(found)
    else:
        for name in ("http", "bolt", "browser"):
            results.print(f"{name:<8} {found[name] or 'not running'}")
        for list_, name, describe in _LINES:
            for one in found[list_]:
                results.print(f"{name:<8} {describe(one)}")
        results.print("ready" if found["ready"] else f"not ready: {found['reason']}")
    raise typer.Exit(0 if found["ready"] else 1)


def _pinned(pin: PinRow) -> dict[str, Any]:
    """Return a pin for `status --json`, with its line."""
    found: dict[str, Any] = msgspec.to_builtins(pin)
    del found["definition"]
    return {**found, "text": describe_pin(pin)}


def _paused(pause: PauseRow | None) -> list[dict[str, Any]]:
    """Return the pause of all triggers for `status --json`, with its line."""
    if pause is None or pause.is_over:
        return []
    return [{**msgspec.to_builtins(pause), "text": describe_pause(pause)}]


def _muted(mute: MuteRow) -> dict[str, Any]:
    """Return a mute for `status --json`, with its line."""
    return {**msgspec.to_builtins(mute), "text": describe_mute(mute)}


def describe_sensing(one: dict[str, Any]) -> str:
    """Return one line about a sensor process."""
    polls = f"polls {one['watched']:,} sensors, {one['lag_seconds']:.1f} s late"
    return f"process {one['pid']} on {one['host']} {polls}"


def describe_leftover_cluster(left: dict[str, Any]) -> str:
    """Return one line about a cluster that could not be removed yet."""
    where = f"{left['name'] or 'without a name'} of {left['batch']}, run {left['run_id']}"
    return f"{where}: not removed after {left['tries']} tries: {left['error']}"


def describe_dead(one: dict[str, Any]) -> str:
    """Return one line about the dead letters of a trigger."""
    name, letters = one["name"], format_count(one["count"], "dead letter")
    about = f"`{program()} trigger why {name}` has the cause, `trigger redrive {name}` starts them"
    return f"{letters} of {name}: {about}"


_LINES: tuple[tuple[str, str, Callable[[dict[str, Any]], str]], ...] = (
    ("daemons", "daemon", lambda one: f"process {one['pid']} on {one['host']}"),
    ("sensors", "sensors", describe_sensing),
    (
        "faults",
        "fault",
        lambda one: f"{one['message']} (on {one['host']} since {one['at']})",
    ),
    ("dead", "dead", describe_dead),
    ("forwards", "forward", describe_lag),
    ("pools", "pool", lambda one: describe_pool(convert_value(one, PoolRow))),
    ("paused", "paused", lambda one: str(one["text"])),
    ("pinned", "pinned", lambda one: str(one["text"])),
    ("muted", "muted", lambda one: str(one["text"])),
    ("clusters", "cluster", describe_leftover_cluster),
)


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
        "dead": [],
        "forwards": [],
        "pools": [],
        "paused": [],
        "pinned": [],
        "muted": [],
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
            found["dead"] = msgspec.to_builtins(graph.read(list_dead_triggers))
            found["clusters"] = msgspec.to_builtins(graph.read(clusters.list_left))
            found["pools"] = msgspec.to_builtins(list_pools(graph))
            found["paused"] = _paused(graph.read(get_pause, now=None))
            found["pinned"] = [_pinned(one) for one in read_pins(graph)]
            found["muted"] = [_muted(one) for one in list_mutes(graph)]
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
