"""Checks of the requirements of a managed server, each with its remedy."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lineagegraph.errors import JavaMissing
from lineagegraph.neo4j_server.filelock import held
from lineagegraph.neo4j_server.folder import server_folder
from lineagegraph.neo4j_server.jars import jar_cache
from lineagegraph.neo4j_server.java import find_java, java_version
from lineagegraph.neo4j_server.lock import read_lock
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.neo4j_server.ports import is_free, remembered
from lineagegraph.settings import Settings

_TESTED_JAVAS = (17, 21)
_ROOM_BYTES = 2 << 30


@dataclass(frozen=True)
class Finding:
    """The result of one check; `advice` is empty if there is nothing to do."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


def check(settings: Settings) -> list[Finding]:
    """Check all requirements of a managed server without changes."""
    checks: tuple[Callable[[Settings], Finding], ...] = (
        _java,
        _jars,
        _data_disk,
        _cache_disk,
        _owner,
        _ports,
    )
    return [each(settings) for each in checks]


def _java(settings: Settings) -> Finding:
    try:
        home = find_java(settings)
    except JavaMissing as error:
        return Finding("Java", False, str(error), "correct LINEAGEGRAPH_JAVA_HOME or unset it")
    if home is None:
        advice = "the first start fetches one; offline, install Java 17 or 21"
        return Finding("Java", False, "none found", advice)
    version = java_version(home)
    tested = version in _TESTED_JAVAS
    advice = "" if tested else "if Neo4j or Spark fails, install Java 17 or 21"
    return Finding("Java", tested, f"{version} at {home}", advice)


def _jars(settings: Settings) -> Finding:
    lock, cache = read_lock(), jar_cache(settings)
    missing = cache.missing(lock.artifacts)
    detail = f"Neo4j {lock.neo4j}, Browser {lock.browser}, {len(lock.artifacts)} jars"
    if not missing:
        return Finding("Neo4j", True, f"{detail} in {cache.folder}")
    megabytes = sum(each.size for each in missing) / 1e6
    return Finding(
        "Neo4j",
        False,
        f"{detail}: {len(missing)} missing or damaged in {cache.folder}",
        f"the next start fetches {megabytes:.0f} MB; or now: `lineagegraph neo4j start`",
    )


def _data_disk(settings: Settings) -> Finding:
    return _room("Disk (data)", settings.home)


def _cache_disk(settings: Settings) -> Finding:
    return _room("Disk (cache)", settings.cache)


def _room(name: str, folder: Path) -> Finding:
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free
    enough = free >= _ROOM_BYTES
    advice = "" if enough else f"free {_ROOM_BYTES / 1e9:.0f} GB, or set another folder"
    return Finding(name, enough, f"{free / 1e9:.1f} GB free at {folder}", advice)


def _owner(settings: Settings) -> Finding:
    folder = server_folder(settings)
    owner = find_owner(folder)
    if owner is not None:
        return Finding("Server", True, f"process {owner.pid} owns {folder.root}")
    if held(folder.owner_lock):
        advice = "a start is in progress: check again in a minute"
        return Finding("Server", False, f"an unknown process owns {folder.root}", advice)
    return Finding("Server", True, f"no server runs in {folder.root}")


def _ports(settings: Settings) -> Finding:
    folder = server_folder(settings)
    ports = remembered(folder.ports_file)
    if ports is None:
        return Finding("Ports", True, "chosen at the first start")
    detail = f"Bolt {ports.bolt}, HTTP {ports.http}"
    if held(folder.owner_lock):
        return Finding("Ports", True, f"{detail}, in use by the server")
    taken = [str(port) for port in (ports.bolt, ports.http) if not is_free(port)]
    if not taken:
        return Finding("Ports", True, f"{detail}, free")
    advice = "nothing to do: the next start chooses others; links to the old ones will not work"
    return Finding("Ports", False, f"{', '.join(taken)} taken by another program", advice)
