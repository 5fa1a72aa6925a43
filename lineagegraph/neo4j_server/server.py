"""Start and stop the managed Neo4j server."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

from lineagegraph.errors import ServerError, ServerNotStarted
from lineagegraph.neo4j_server.address import ServerAddress
from lineagegraph.neo4j_server.browser.pages import unpack
from lineagegraph.neo4j_server.complaint import last_complaint
from lineagegraph.neo4j_server.configuration import write_configuration
from lineagegraph.neo4j_server.filelock import claimed
from lineagegraph.neo4j_server.folder import Folder, server_folder
from lineagegraph.neo4j_server.jars import Progress, jar_cache
from lineagegraph.neo4j_server.java_fetch import ensure_java
from lineagegraph.neo4j_server.launch import launch
from lineagegraph.neo4j_server.lock import read_lock
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.neo4j_server.password import set_initial_password
from lineagegraph.neo4j_server.ports import choose
from lineagegraph.neo4j_server.readiness import Answers, await_end, await_ready
from lineagegraph.settings import Settings

_STOP_SECONDS = 60.0


def prepare(settings: Settings, progress: Progress | None = None) -> None:
    """Fetch all that a start needs and this machine does not have."""
    with _disk_said_plainly(settings):
        ensure_java(settings)
        jar_cache(settings).fill(read_lock(), progress)


def start(settings: Settings, answers: Answers, progress: Progress | None = None) -> ServerAddress:
    """Return the managed server's address once it answers, starting it if none lives."""
    folder = server_folder(settings)
    while True:
        launched = _launch_unless_owned(folder, settings, progress)
        address = await_ready(folder, answers, settings.neo4j_start_seconds)
        if address is not None:
            return address
        if launched:
            complaint = last_complaint(folder)
            raise ServerNotStarted(f"Neo4j ended before it was ready: {complaint}")


def stop(settings: Settings) -> bool:
    """End the managed server; return whether there was one."""
    folder = server_folder(settings)
    owner = find_owner(folder)
    if owner is None:
        return False
    with suppress(psutil.NoSuchProcess):
        owner.terminate()
        if not await_end(folder, _STOP_SECONDS):
            owner.kill()
            await_end(folder, _STOP_SECONDS)
    return True


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
    ports = choose(folder.ports_file)
    browser = read_lock().browser_artifact
    web = unpack(jars.file(browser), folder.web, ports)
    set_initial_password(folder)
    write_configuration(folder, ports, settings)
    class_path = [jars.file(each) for each in read_lock().artifacts if each != browser]
    # Java archives no classes of jars (CDS) if a folder comes before them.
    launch(ensure_java(settings), [*class_path, web], folder, settings, lock)


@contextmanager
def _disk_said_plainly(settings: Settings) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServerError(
            # A text after `password:`, one of its files, would be masked as a secret.
            f"{error.strerror} ({error.filename or settings.home}): free some space or allow "
            "writing there, or set LINEAGEGRAPH_HOME and LINEAGEGRAPH_CACHE to other folders"
        ) from error
