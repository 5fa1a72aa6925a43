"""Observe and guard a process while it imports a definition file, with Python's audit events."""

from __future__ import annotations

import faulthandler
import linecache
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from lineagegraph.authoring.origin import shown
from lineagegraph.project.root import is_own

_IMPORT = "<frozen importlib"
_WRITES = os.O_WRONLY | os.O_RDWR
_NO_FILES = ("/proc/", "/dev/", "/sys/")
_LONGEST = 60
#: kinds of inputs, and what the import writes itself, which is none
READ, LISTED, WRITTEN, VARIABLE = "rlwv"
_UNSTEADY = {
    "socket.connect": "uses the network",
    "socket.getaddrinfo": "uses the network",
    "subprocess.Popen": "starts a program",
    "os.system": "starts a program",
    "os.posix_spawn": "starts a program",
    "sqlite3.connect": "reads a database",
}


class ImportObserver:
    """Records the files, folders and other inputs that the project's own code reads.

    Inputs of libraries are not recorded. `modules` are the project's sources that Python loaded,
    also by their path. `linked_files` and `linked_folders` are the names, with symbolic links in
    them, by which files and folders were read: a link may come to lead elsewhere. `tell` is called
    with the kind and name of each input at once, as the process may be killed.
    """

    def __init__(self, root: Path, tell: Callable[[str, str], None]) -> None:
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.modules: set[str] = set()
        self.linked_files: set[str] = set()
        self.linked_folders: set[str] = set()
        self._imported: set[str] = set()
        self.unsteady: dict[str, None] = {}
        self._written: set[str] = set()
        self._root = root
        self._tell = tell
        self._own: dict[str, bool] = {}
        self._installed = tuple({f"{sys.prefix}/", f"{sys.base_prefix}/"})

    def start(self) -> None:
        """Start to record."""
        _add_hook()
        _active.append(self)

    def stop(self) -> None:
        """Stop to record."""
        if self in _active:
            _active.remove(self)
        self.files -= self._written
        self.linked_files -= {one for one in self.linked_files if self._file(one) in self._written}

    @property
    def missing(self) -> set[str]:
        """The files that would be the modules that the project's code did not find."""
        names = (name.split(".") for name in self._imported if name not in sys.modules)
        places = [
            self._root.joinpath(*parts) for parts in names if all(map(str.isidentifier, parts))
        ]
        found = ((place / "__init__.py", place.with_suffix(".py")) for place in places)
        return {str(file) for files in found for file in files if not file.exists()}

    @property
    def is_idle(self) -> bool:
        """Whether nothing was recorded but files that were read."""
        return not (self.folders or self.unsteady or self._written)

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Record an audit event that is running."""
        # An error in a hook would be raised in the observed code.
        with suppress(Exception):
            frame = sys._getframe(2)
            if event == "open" and frame.f_code.co_filename.startswith(_IMPORT):
                self._note_module(arguments[0])
            place = self._place(frame)
            if place is None:
                return
            if event == "import":
                self._imported.add(arguments[0])
            elif event in _UNSTEADY:
                self._note_unsteady(event, arguments, place)
            elif event == "open":
                self._note_open(*arguments)
            else:
                self._note_listing(arguments[0])

    def _place(self, frame: FrameType | None) -> str | None:
        """Return the running line of the project, None if it imports a library."""
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
            self._keep(WRITTEN, self._written, {file})
        else:
            self._keep(READ, self.files, {file})
            self._keep(READ, self.linked_files, _linked(path, file))

    def _note_module(self, path: Any) -> None:
        file = os.path.realpath(os.fsdecode(path))
        if file.endswith(".pyc"):
            file = source_from_cache(file)
        if self._is_own(file):
            self._keep(READ, self.modules if file.endswith(".py") else self.files, {file})

    def _note_listing(self, path: Any) -> None:
        if not isinstance(path, int) and (folder := self._file(path or ".")) is not None:
            self._keep(LISTED, self.folders, {folder})
            self._keep(LISTED, self.linked_folders, _linked(path or ".", folder))

    def _keep(self, kind: str, known: set[str], names: set[str]) -> None:
        for name in names - known:
            known.add(name)
            self._tell(kind, name)

    def _note_unsteady(self, event: str, arguments: tuple[Any, ...], place: str) -> None:
        # A socket with a path as its address is local.
        if event != "socket.connect" or not isinstance(arguments[1], str):
            file, _, line = place.rpartition(":")
            text = linecache.getline(str(self._root / file), int(line)).strip()
            self.unsteady[f"{place} {_UNSTEADY[event]}: {text[:_LONGEST]}"] = None

    def _file(self, path: Any) -> str | None:
        name = os.path.realpath(os.fsdecode(path))
        if name.startswith(self._installed):
            inside = Path(name).is_relative_to(self._root) and is_own(Path(name), self._root)
            return name if inside else None
        return None if name.startswith(_NO_FILES) else name


def _linked(path: Any, real: str) -> set[str]:
    """Return the name by which something was read, unless that is its real one."""
    return {os.path.abspath(os.fsdecode(path))} - {real}  # noqa: PTH100


_NOTED = frozenset({"open", "os.listdir", "os.scandir", "import"})
_active: list[ImportObserver] = []


@cache
def _add_hook() -> None:
    """Add the audit hook, once: it cannot be removed again, and a process may import many files."""
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if _active and (event in _NOTED or event in _UNSTEADY):
        _active[-1].note(event, arguments)


TRACE_SIGNAL = signal.SIGUSR1
_FATAL = (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGTERM, signal.SIGHUP)


class ImportGuards:
    """Records the line that forks Python, and reports one that ends it.

    A forked copy exits at once: otherwise it would go on with the import.
    """

    def __init__(self, root: Path, refuse: Callable[[str], None]) -> None:
        self.fork: str | None = None
        self._root = root
        self._refuse = refuse
        self._exit = os._exit

    def start(self, trace: int) -> None:
        """Guard the process; it writes its line to `trace` on a crash or on the signal."""
        faulthandler.enable(trace)
        faulthandler.register(TRACE_SIGNAL, trace, all_threads=False)
        # Python does not handle these, and ends; the file may handle them itself.
        for number in _FATAL:
            faulthandler.register(number, trace, all_threads=False, chain=True)
        _follow_forks()
        _guarding.append(self)
        os._exit = self._note_exit

    def stop(self) -> None:
        """Stop guarding the process."""
        if self in _guarding:
            _guarding.remove(self)
        os._exit = self._exit

    def note_fork(self) -> None:
        """Record the line that forks Python."""
        self.fork = self.fork or self._line()

    def leave(self) -> None:
        """End the forked copy."""
        self._exit(1)

    def _note_exit(self, status: int) -> NoReturn:
        message = f"Python ended with exit status {status} (os._exit) while it was imported"
        self._refuse(f"{self._line()}: {message}")
        self._exit(status)

    def _line(self) -> str:
        frame = sys._getframe(1)
        while frame.f_back is not None and not self._is_own(frame.f_code.co_filename):
            frame = frame.f_back
        return f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}"

    def _is_own(self, name: str) -> bool:
        return name != __file__ and is_own(Path(name), self._root)


_guarding: list[ImportGuards] = []


@cache
def _follow_forks() -> None:
    """Follow the forks of this process, once: nothing can be unregistered."""
    os.register_at_fork(before=_note_fork, after_in_child=_leave)


def _note_fork() -> None:
    for one in _guarding:
        one.note_fork()


def _leave() -> None:
    for one in _guarding:
        one.leave()
