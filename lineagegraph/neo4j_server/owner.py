"""Which process owns a data folder: the server that lives there."""

import psutil

from lineagegraph.neo4j_server.filelock import held
from lineagegraph.neo4j_server.folder import Folder

_HOME_DIR = "--home-dir="


def find_owner(folder: Folder) -> psutil.Process | None:
    """Return the live server of `folder`: the lock proves that it lives, a file has its pid.

    A process that got the pid of a dead one is never taken for the server.
    """
    if not held(folder.owner_lock):
        return None
    try:
        process = psutil.Process(int(folder.pid_file.read_text()))
        return process if _is_ours(process, folder) else None
    except (FileNotFoundError, ValueError, psutil.Error):
        return None


def home_argument(folder: Folder) -> str:
    """Return the argument that marks a server's command line as ours."""
    return f"{_HOME_DIR}{folder.root}"


def _is_ours(process: psutil.Process, folder: Folder) -> bool:
    # One folder has several paths if there are links to it.
    return any(
        folder.root.samefile(argument.removeprefix(_HOME_DIR))
        for argument in process.cmdline()
        if argument.startswith(_HOME_DIR)
    )
