"""What a definition file reads while it is imported, as Python's audit events tell."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from lineagegraph.authoring.origin import shown
from lineagegraph.authoring.project import is_own

_IMPORT = "<frozen importlib"
_WRITES = os.O_WRONLY | os.O_RDWR
_NO_FILES = ("/proc/", "/dev/", "/sys/")
_UNSTEADY = {
    "socket.connect": "uses the network",
    "socket.getaddrinfo": "uses the network",
    "subprocess.Popen": "starts a program",
    "os.system": "starts a program",
    "os.posix_spawn": "starts a program",
}


class Observer:
    """Notes files, folders and more that the project's own code asks for.

    What a library reads as it is imported is not noted: that belongs to the library.
    """

    def __init__(self, root: Path) -> None:
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.unsteady: dict[str, None] = {}
        self._written: set[str] = set()
        self._root = root
        self._own: dict[str, bool] = {}
        self._installed = tuple({f"{sys.prefix}/", f"{sys.base_prefix}/"})
        self._listens = False

    def start(self) -> None:
        """Listen; an audit hook cannot be taken out again."""
        self._listens = True
        sys.addaudithook(self._hear)

    def stop(self) -> None:
        """Listen no longer."""
        self._listens = False
        self.files -= self._written

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._listens or (event not in _NOTED and event not in _UNSTEADY):
            return
        # An error in a hook would become one of the code that is observed.
        with suppress(Exception):
            place = self._place(sys._getframe(1))
            if place is None:
                return
            if event in _UNSTEADY:
                self._note_unsteady(event, arguments, place)
            elif event == "open":
                self._note_open(*arguments)
            else:
                self._note_listing(arguments[0])

    def _place(self, frame: FrameType | None) -> str | None:
        """Return the line of the project that is running, unless it imports a library."""
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith(_IMPORT):
                return None
            if self._is_own(name):
                return f"{shown(name)}:{frame.f_lineno}"
            frame = frame.f_back
        return None

    def _is_own(self, name: str) -> bool:
        if name not in self._own:
            self._own[name] = is_own(Path(name), self._root)
        return self._own[name]

    def _note_open(self, path: Any, mode: object, flags: int) -> None:
        if isinstance(path, int) or (file := self._file(path)) is None:
            return
        if flags & _WRITES:
            self._written.add(file)
        else:
            self.files.add(file)

    def _note_listing(self, path: Any) -> None:
        if not isinstance(path, int) and (folder := self._file(path or ".")) is not None:
            self.folders.add(folder)

    def _note_unsteady(self, event: str, arguments: tuple[Any, ...], place: str) -> None:
        # A socket of this machine has a path for an address.
        if event != "socket.connect" or not isinstance(arguments[1], str):
            self.unsteady[f"{place} {_UNSTEADY[event]}"] = None

    def _file(self, path: Any) -> str | None:
        name = os.path.realpath(os.fsdecode(path))
        if name.startswith(self._installed):
            inside = Path(name).is_relative_to(self._root) and is_own(Path(name), self._root)
            return name if inside else None
        return None if name.startswith(_NO_FILES) else name


_NOTED = frozenset({"open", "os.listdir", "os.scandir"})
