"""`status`: the background processes."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
import typer

from lineagegraph import neo4j_server
from lineagegraph.admin.mutes import describe_mute
from lineagegraph.cli.console import print_json, program, results
from lineagegraph.cli.formatting import first_line
from lineagegraph.cli.operate.note import find_service
from lineagegraph.cli.operate.pool import describe_pool
from lineagegraph.errors import GraphError, LineagegraphError
from lineagegraph.graph import Graph, Transaction
from lineagegraph.model.typed import convert_value
from lineagegraph.queries.pins import describe_pin
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.admin import mutes, processes
from lineagegraph.store.admin.mutes import MuteRow
from lineagegraph.store.outbox.forwards import list_targets
from lineagegraph.store.pipelines import definition_files
from lineagegraph.store.pipelines.versions import PinRow, list_all_pins
from lineagegraph.store.runs import clusters, pools
from lineagegraph.store.runs.pools import PoolRow
from lineagegraph.store.triggers.firings import list_dead_triggers
from lineagegraph.store.triggers.pauses import PauseRow, get_pause
from lineagegraph.text import format_count
from lineagegraph.triggers.pause import describe_pause


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


def describe_lag(target: dict[str, Any]) -> str:
    """Return one line on how far behind a target is, and why."""
    waits = f"{target['waiting']} waiting since {target['oldest_at']}"
    text = waits if target["waiting"] else "nothing waiting"
    faults = [f"{target[name]} {name}" for name in ("refused", "dropped") if target[name]]
    faults += [first_line(target["error"])] if target["error"] else []
    return f"{target['name']}: {', '.join([text, *faults])}"


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
    polls = f"polls {format_count(one['watched'], 'sensor')}, {one['lag_seconds']:.1f} s late"
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
            found |= graph.read(_read_lists)
    except LineagegraphError as error:
        found["reason"] = str(error)
        return found
    found["ready"] = bool(note or found["daemons"])
    found["reason"] = (
        None if found["ready"] else "no daemon is running: start one with `lineagegraph up`"
    )
    return found


def _read_lists(tx: Transaction) -> dict[str, list[Any]]:
    """Return the lists of the document, in one transaction: each takes a round trip or two."""
    live = processes.list_live(tx, kind=processes.DAEMON, within=processes.ALIVE, now=None)
    return {
        "daemons": [{"id": d.id, "host": d.host, "pid": d.pid} for d in live],
        "sensors": msgspec.to_builtins(
            processes.list_sensing(tx, within=processes.ALIVE, now=None)
        ),
        "faults": msgspec.to_builtins(definition_files.list_faults(tx)),
        "dead": msgspec.to_builtins(list_dead_triggers(tx)),
        "clusters": msgspec.to_builtins(clusters.list_left(tx)),
        "pools": msgspec.to_builtins(pools.list_pools(tx)),
        "paused": _paused(get_pause(tx, now=None)),
        "pinned": [_pinned(one) for one in list_all_pins(tx)],
        "muted": [_muted(one) for one in mutes.list_mutes(tx, now=None)],
        "forwards": msgspec.to_builtins(list_targets(tx)),
    }


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
    address = neo4j_server.live_address(settings)
    if address is None:
        raise GraphError("Neo4j is not running: start it with `lineagegraph up`")
    found |= {"bolt": address.bolt, "browser": address.browser}
    return Graph(address.bolt, address.user, address.password)
