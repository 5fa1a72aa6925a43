"""The note of a running `up`, by which other commands find and stop it."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import psutil

from lineagegraph.cli.console import program
from lineagegraph.errors import SettingsError
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server.filelock import claimed, held
from lineagegraph.neo4j_server.folder import write_whole
from lineagegraph.private_files import private_folder
from lineagegraph.settings import Settings

DRAIN = signal.SIGUSR2
"""The signal at which an `up` lets its runs end and then stops."""
_DRAIN_SECONDS = 0.5
_START_FIELD = 19  # of those behind the name


class Note(msgspec.Struct, frozen=True):
    """The note of a running `up`: its process, its start (a pid may be reused) and addresses.

    `drains` are the jobs of the runs that it lets end before it stops. It starts until `is_ready`.
    """

    pid: int
    started: float
    http: str | None
    drains: tuple[str, ...] = ()
    is_ready: bool = True


@contextmanager
def claimed_home(settings: Settings) -> Iterator[None]:
    """Hold the home in the block; raise `SettingsError` if another `up` has it."""
    with claimed(_lock_path(settings)) as lock:
        if lock is None:
            check_is_free(settings)
            raise SettingsError(
                f"another `up` has {settings.home}: if it is not stopping just now, it runs on "
                "another host or in another container; stop it there, or choose another "
                "LINEAGEGRAPH_HOME"
            )
        write_note(settings, None, is_ready=False)
        yield


def check_is_free(settings: Settings) -> None:
    """Raise `SettingsError` if an `up` of this host runs or starts on this home."""
    if (note := find_note(settings)) is not None:
        state = f"up already (process {note.pid}, {note.http or 'no HTTP'})"
        if not note.is_ready:
            state = f"starting already (process {note.pid})"
        raise SettingsError(f"lineagegraph is {state}: `{program()} down` stops it")


def write_note(
    settings: Settings,
    http: str | None,
    drains: tuple[str, ...] = (),
    *,
    is_ready: bool = True,
) -> None:
    """Keep a note of this process."""
    me = psutil.Process()
    note = Note(me.pid, _start_of(me), http, drains, is_ready)
    write_whole(_note_path(settings), msgspec.json.encode(note).decode())


def delete_note(settings: Settings) -> None:
    """Delete the note of this process."""
    _note_path(settings).unlink(missing_ok=True)


def find_service(settings: Settings) -> Note | None:
    """Return the note of the `up` that is ready on this home, if any."""
    note = find_note(settings)
    return note if note and note.is_ready else None


def find_note(settings: Settings) -> Note | None:
    """Return the note of the `up` that runs or starts on this home, if any.

    A copy of a home has the note of the original, and not its lock.
    """
    if not held(_lock_path(settings)):
        return None
    try:
        note = decode_json(_note_path(settings).read_bytes(), into=Note)
        process = psutil.Process(note.pid)
        # A killed process that nobody has waited for is still listed.
        is_zombie = process.status() == psutil.STATUS_ZOMBIE
        alive = _start_of(process) == note.started and not is_zombie
    except (OSError, msgspec.DecodeError, psutil.Error):
        return None
    return note if alive else None


def drain_service(
    settings: Settings, note: Note, seconds: float, tell: Callable[[tuple[str, ...]], None]
) -> bool:
    """Ask an `up` to stop after its runs; return whether it did within `seconds`.

    `tell` gets the jobs of the runs that it waits for, whenever these change.
    """
    deadline, told = time.monotonic() + seconds, note.drains
    with suppress(psutil.Error):
        process = psutil.Process(note.pid)
        process.send_signal(DRAIN)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            now = find_service(settings)
            if now and now.drains != told:
                told = now.drains
                tell(told)
            time.sleep(_DRAIN_SECONDS)
    return True


def end_service(note: Note, seconds: float) -> None:
    """Ask an `up` to stop and wait for it; kill it after `seconds`."""
    with suppress(psutil.Error):
        process = psutil.Process(note.pid)
        process.terminate()
        with suppress(psutil.TimeoutExpired):
            process.wait(seconds)
            return
        process.kill()
        time.sleep(0.1)


def _start_of(process: psutil.Process) -> float:
    """Return when a process started, in Linux by ticks since the boot.

    The time of day moves, for all processes, if somebody sets the system's clock.
    """
    state = Path(f"/proc/{process.pid}/stat")
    if not state.exists():
        return process.create_time()
    # The name of the program is in brackets, and may have spaces.
    return float(state.read_text("utf-8", "replace").rpartition(")")[2].split()[_START_FIELD])


def _note_path(settings: Settings) -> Path:
    return private_folder(settings.home) / "up.json"


def _lock_path(settings: Settings) -> Path:
    return private_folder(settings.home) / "up.lock"
