"""A server is ready when a query over Bolt is answered, and not before."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from lineagegraph.errors import ServerNotStarted
from lineagegraph.neo4j_server.address import ServerAddress, find_address, find_bolt
from lineagegraph.neo4j_server.filelock import held
from lineagegraph.neo4j_server.folder import Folder, server_folder
from lineagegraph.neo4j_server.lock import read_lock
from lineagegraph.settings import Settings

Answers = Callable[[str, str, str], bool]
"""Asked with URI, user and password whether a Neo4j there answers a query."""

_POLL_SECONDS = 0.1


class ServerState(StrEnum):
    """Whether a server's process lives, and whether it answers."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"


@dataclass(frozen=True)
class ServerStatus:
    """The status of the server of a data folder; no address if it is stopped."""

    state: ServerState
    address: ServerAddress | None
    version: str
    folder: Path


def live_address(settings: Settings) -> ServerAddress | None:
    """Return the address of the managed server if it lives; it may not answer yet."""
    return find_address(server_folder(settings))


def live_bolt(settings: Settings) -> str | None:
    """Return the URI of the managed server if it lives: it starts at other ports if need be."""
    return find_bolt(server_folder(settings))


def status(settings: Settings, answers: Answers) -> ServerStatus:
    """Return the status of the managed server."""
    folder = server_folder(settings)
    address = find_address(folder)
    if address is None:
        state = ServerState.STOPPED
    else:
        state = ServerState.RUNNING if _answers(answers, address) else ServerState.STARTING
    return ServerStatus(state, address, read_lock().neo4j, folder.root)


def await_ready(folder: Folder, answers: Answers, seconds: float) -> ServerAddress | None:
    """Return the address of the server of `folder` once it answers; `None` if it ended first."""
    deadline = time.monotonic() + seconds
    while held(folder.owner_lock):
        address = find_address(folder)
        if address is not None and _answers(answers, address):
            return address
        if time.monotonic() > deadline:
            raise ServerNotStarted(_silent(folder, address, seconds))
        time.sleep(_POLL_SECONDS)
    return None


def await_end(folder: Folder, seconds: float) -> bool:
    """Return whether the server of `folder` ended in time."""
    deadline = time.monotonic() + seconds
    while held(folder.owner_lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _answers(answers: Answers, address: ServerAddress) -> bool:
    return answers(address.bolt, address.user, address.password)


def _silent(folder: Folder, address: ServerAddress | None, seconds: float) -> str:
    owner = f"process {address.pid}" if address else "another process"
    return (
        f"{folder.root} is owned by {owner}, which does not answer after {seconds:.0f} s; "
        f"run `lineagegraph neo4j stop` and start again, or see {folder.log}"
    )
