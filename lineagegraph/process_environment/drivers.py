"""The drivers that a run has on clusters, with the orders that kill them."""

import re
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import private_folder, replace_private

KILL_SECONDS = 60
_TAIL_CHARACTERS = 2_000
_FOLDER = "drivers"
_PATIENCE_SECONDS = 3600.0
_PAUSE_SECONDS = 5.0


class DriverKill(msgspec.Struct, frozen=True):
    """The command that kills a driver, with its environment variables."""

    command: list[str]
    environment: dict[str, str]
    #: a pattern of the command's output for a driver that is no more
    gone: str
    #: the folder in which the order was kept; in another one it is a copy, and no order
    folder: str = ""


class DriverFile:
    """The file of the driver that a task has on a cluster.

    It outlasts the worker: the process that notices its death kills these drivers.
    """

    def __init__(self, logs: Path, task_run_id: str) -> None:
        self._file = logs / _FOLDER / f"{task_run_id}.json"
        self._order: bytes | None = None

    def add(self, order: DriverKill) -> None:
        """Keep the order that kills the driver; if the disk has no room, in this process only.

        Raises `OSError` then.
        """
        kept = replace(order, folder=str(self._file.parent.resolve()))
        self._order = msgspec.json.encode(kept)
        private_folder(self._file.parent)
        replace_private(self._file, self._order)

    def forget(self) -> None:
        """Drop the order of a driver that has ended."""
        self._order = None
        self._file.unlink(missing_ok=True)

    def kill(self) -> str | None:
        """Kill the driver, if there is one, and return why that failed."""
        order = self._order
        if order is None and self._file.is_file():
            order = self._file.read_bytes()
        fault = None if order is None else _kill(self._file, order)
        if fault is None:
            self._order = None
        return fault


def has_drivers(logs: Path) -> bool:
    """Return whether drivers of a run are not known to have ended."""
    return any((logs / _FOLDER).glob("*.json"))


def kill_drivers(logs: Path) -> None:
    """Kill the drivers of all tasks of a run; one that cannot be killed is tried again for an hour.

    A driver that another worker starts meanwhile is left alone.
    """
    left = {file: file.read_bytes() for file in (logs / _FOLDER).glob("*.json")}
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while left and time.monotonic() < deadline:
        left = {file: order for file, order in left.items() if not _is_settled(file, order)}
        if left:
            time.sleep(_PAUSE_SECONDS)


def _is_settled(file: Path, order: bytes) -> bool:
    with suppress(FileNotFoundError, msgspec.DecodeError):
        return file.read_bytes() != order or _kill(file, order) is None
    return True


def _kill(file: Path, order: bytes) -> str | None:
    """Execute the order of a file, drop the file, and return why that failed."""
    kill = decode_json(order, into=DriverKill)
    is_copy = kill.folder and kill.folder != str(file.parent.resolve())
    if not is_copy and (fault := _execute(kill)):
        return fault
    file.unlink(missing_ok=True)
    return None


def _execute(order: DriverKill) -> str | None:
    try:
        done = subprocess.run(
            order.command,
            env=order.environment,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=KILL_SECONDS,
            start_new_session=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        return str(error)
    output = done.stdout.decode(errors="replace").strip()
    is_ended = done.returncode == 0 or re.search(order.gone, output)
    said = output[-_TAIL_CHARACTERS:] or f"{order.command[0]} exited with {done.returncode}"
    return None if is_ended else said
