"""The JupyterLab of `lineagegraph notebook`, found by the file that Jupyter keeps of it."""

import os
from pathlib import Path

import msgspec
import psutil

from lineagegraph.model.typed import decode_json
from lineagegraph.private_files import private_folder, write_private
from lineagegraph.settings import Settings


class _Server(msgspec.Struct, frozen=True):
    pid: int
    url: str


def note_jupyter(settings: Settings, runtime: Path) -> None:
    """Note the file that Jupyter will keep in its folder `runtime`; it gets the id of this process.

    Jupyter replaces this process, and deletes the file at its end.
    """
    file = runtime / f"jpserver-{os.getpid()}.json"
    write_private(private_folder(settings.home) / "jupyter", str(file.absolute()).encode())


def find_jupyter(settings: Settings) -> str | None:
    """Return the address of the newest one, without its token; None if it does not run."""
    try:
        file = Path((settings.home / "jupyter").read_text("utf-8"))
        server = decode_json(file.read_bytes(), into=_Server)
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    # A killed server leaves its file.
    return server.url if psutil.pid_exists(server.pid) else None
