"""Start, stop and look at the managed Neo4j server."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import psutil

from lineagegraph.errors import ServerError, ServerNotStarted
from lineagegraph.neo4j_server.browser import unpack
from lineagegraph.neo4j_server.complaint import last_complaint
from lineagegraph.neo4j_server.configuration import write_configuration
from lineagegraph.neo4j_server.filelock import claimed, held
from lineagegraph.neo4j_server.folder import Folder, server_folder
from lineagegraph.neo4j_server.jars import Progress, jar_cache
from lineagegraph.neo4j_server.java_fetch import ensure_java
from lineagegraph.neo4j_server.launch import launch
from lineagegraph.neo4j_server.lock import read_lock
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.neo4j_server.password import USER, read_password, set_initial_password
from lineagegraph.neo4j_server.ports import choose, remembered
from lineagegraph.settings import Settings

Answers = Callable[[str, str, str], bool]
"""Asked with URI, user and password whether a Neo4j there answers a query."""

_STOP_SECONDS = 60.0
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class ServerAddress:
    """Where a managed server is reached, and as whom; `browser` has the user filled in."""

    bolt: str
    browser: str
    user: str
    password: str = field(repr=False)
    pid: int


class ServerState(StrEnum):
    """Whether a server's process lives, and whether Bolt answers."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"


@dataclass(frozen=True)
class ServerStatus:
    """What is known of the server of a data folder; no address where it is stopped."""

    state: ServerState
    address: ServerAddress | None
    version: str
    folder: Path


def prepare(settings: Settings, progress: Progress | None = None) -> None:
    """Fetch all that a start needs and this machine does not have."""
    with _disk_said_plainly(settings):
        ensure_java(settings)
        jar_cache(settings).fill(read_lock(), progress)


def start(settings: Settings, answers: Answers, progress: Progress | None = None) -> ServerAddress:
    """Return the address of the folder's server once it answers, starting one where none lives."""
    folder = server_folder(settings)
    while True:
        launched = _launch_unless_owned(folder, settings, progress)
        address = _await_ready(folder, answers, settings.neo4j_start_seconds)
        if address is not None:
            return address
        if launched:
            complaint = last_complaint(folder)
            raise ServerNotStarted(f"Neo4j ended before it was ready: {complaint}")


def stop(settings: Settings) -> bool:
    """End the folder's server; say whether there was one."""
    folder = server_folder(settings)
    owner = find_owner(folder)
    if owner is None:
        return False
    with suppress(psutil.NoSuchProcess):
        owner.terminate()
        if not _freed(folder, _STOP_SECONDS):
            owner.kill()
            _freed(folder, _STOP_SECONDS)
    return True


def status(settings: Settings, answers: Answers) -> ServerStatus:
    """Look at the folder's server, changing nothing."""
    folder = server_folder(settings)
    address = _address(folder)
    if address is None:
        state = ServerState.STOPPED
    else:
        ready = answers(address.bolt, address.user, address.password)
        state = ServerState.RUNNING if ready else ServerState.STARTING
    return ServerStatus(state, address, read_lock().neo4j, folder.root)


def _launch_unless_owned(folder: Folder, settings: Settings, progress: Progress | None) -> bool:
    if find_owner(folder) is not None:
        return False
    prepare(settings, progress)
    with _disk_said_plainly(settings):
        folder.create()
        with claimed(folder.owner_lock) as lock:
            if lock is not None:
                _launch(folder, settings, lock)
            return lock is not None


def _launch(folder: Folder, settings: Settings, lock: int) -> None:
    jars = jar_cache(settings)
    unpack(jars.file(read_lock().browser_artifact), folder.web)
    set_initial_password(folder)
    write_configuration(folder, choose(folder.ports_file), settings)
    class_path = [folder.web, *map(jars.file, read_lock().artifacts)]
    launch(ensure_java(settings), class_path, folder, settings, lock)


@contextmanager
def _disk_said_plainly(settings: Settings) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServerError(
            f"{error.filename or settings.home}: {error.strerror}; make room or permit writing "
            "there, or set LINEAGEGRAPH_HOME and LINEAGEGRAPH_CACHE to other folders"
        ) from error


def _await_ready(folder: Folder, answers: Answers, seconds: float) -> ServerAddress | None:
    deadline = time.monotonic() + seconds
    while held(folder.owner_lock):
        address = _address(folder)
        if address and answers(address.bolt, address.user, address.password):
            return address
        if time.monotonic() > deadline:
            raise ServerNotStarted(_silent(folder, address, seconds))
        time.sleep(_POLL_SECONDS)
    return None


def _silent(folder: Folder, address: ServerAddress | None, seconds: float) -> str:
    owner = f"process {address.pid}" if address else "another process"
    return (
        f"{folder.root} is owned by {owner}, which does not answer after {seconds:.0f} s; "
        f"run `lineagegraph neo4j stop` and start again, or see {folder.log}"
    )


def _freed(folder: Folder, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while held(folder.owner_lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _address(folder: Folder) -> ServerAddress | None:
    owner = find_owner(folder)
    ports = remembered(folder.ports_file)
    if owner is None or ports is None:
        return None
    connect = f"connectURL=bolt://{USER}@localhost:{ports.bolt}"
    return ServerAddress(
        bolt=f"bolt://127.0.0.1:{ports.bolt}",
        browser=f"http://localhost:{ports.http}/browser/?{connect}",
        user=USER,
        password=read_password(folder),
        pid=owner.pid,
    )
