"""The files that the code of a task opens, and the environment variables that it reads.

Files are known by Python's audit events, variables by a class of `os.environ` of our own.
"""

import collections.abc
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from lineagegraph.dataframes.follow import follow_libraries
from lineagegraph.dataframes.uses import DataUses
from lineagegraph.execution.outcome import Outcome
from lineagegraph.file_states import states_of_use
from lineagegraph.model.holding import holding
from lineagegraph.secrets import mask
from lineagegraph.settings import load_settings
from lineagegraph.spark.thread_tags import passing_on
from lineagegraph.text import storable

_WRITES = os.O_WRONLY | os.O_RDWR
_INSTALLED = ("<frozen ", f"{sys.prefix}/", f"{sys.base_prefix}/")
_SYSTEM = ("/proc/", "/dev/", "/sys/", "/etc/", "/usr/", *_INSTALLED)
_PACKAGE = f"{Path(__file__).parents[1]}/"
_COMPILED = (".pyc", ".so")
_READERS = (os.__file__, collections.abc.__file__, "<frozen os>", "<frozen _collections_abc>")
_MOVES = ("os.rename", "os.link")
_EVENTS = ("open", *_MOVES)
_MOST = 1_000
_LEFT_OUT = f"files after the first {_MOST:,} of a task"

_current: ContextVar["TaskUses | None"] = ContextVar("lineagegraph_used", default=None)


class TaskUses:
    """The files that a task opened, the variables that it read, and the datasets that it used.

    Files below `apart` are not its data. Uses by the standard library and installed packages do not
    count, unless the task's code called `open` or `os.getenv` itself.
    """

    def __init__(self, apart: Iterable[Path]) -> None:
        self._apart = (*_SYSTEM, _PACKAGE, *(f"{folder}/" for folder in apart))
        self._read: dict[str, str] = {}  # real paths by the paths that were opened
        self._written: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self._is_full = False
        self._data: DataUses | None = None
        if load_settings().follow_libraries:
            self._data = DataUses(self._is_apart)
            # Before the task's code may keep a function of theirs.
            follow_libraries()

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """Receive the uses of this thread, of those that it starts, and of copied contexts."""
        _install()
        with self._here(), passing_on(self._here):
            yield

    @contextmanager
    def _here(self) -> Iterator[None]:
        with holding(_current, self), self._data.receiving() if self._data else nullcontext():
            yield

    def add_file(self, path: str | bytes, flags: int) -> None:
        """Add a path that is opened with these flags."""
        opened = os.fsdecode(path)
        real = os.path.realpath(opened)
        if self._is_apart(real) or real.endswith(_COMPILED):
            return
        if flags & _WRITES:
            self._keep(self._written, real, real)
        else:
            # A symbolic link may lead elsewhere later. Behind one, `..` is not what its text says.
            name = real if ".." in opened else os.path.abspath(opened)  # noqa: PTH100
            self._keep(self._read, name, real)

    def add_moved(self, path: str | bytes) -> None:
        """Add a path that a file or folder gets, in place of a link that may be there."""
        folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100
        real = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
        if not self._is_apart(real):
            self._keep(self._written, real, real)

    def _keep(self, found: dict[str, str], name: str, real: str) -> None:
        if name in found or len(found) < _MOST:
            found[name] = real
        else:
            self._is_full = True

    def add_variable(self, name: str, value: str) -> None:
        """Add a variable that is read."""
        if len(self._variables) < _MOST:
            self._variables[name] = value

    def on(self, outcome: Outcome) -> Outcome:
        """Return an outcome with what was used."""
        data = self._data
        return replace(
            outcome,
            files=self.states(),
            variables=self.variables(),
            inputs=data.inputs() if data else (),
            outputs=data.outputs() if data else (),
        )

    def _is_apart(self, path: str) -> bool:
        return path.startswith(self._apart)

    def variables(self) -> dict[str, str]:
        """Return the values of the variables by name, with secrets masked."""
        found = sorted(self._variables.items())
        return {storable(name): storable(mask(value, name)) for name, value in found}

    def states(self) -> dict[str, Any]:
        """Return the states of the files, as `states_of_use` does, and which are left out."""
        read = (path for path, real in self._read.items() if real not in self._written)
        states = states_of_use(read, self._written)
        return states | {"left_out": _LEFT_OUT} if self._is_full else states


@cache
def _install() -> None:
    """Add the hook, which cannot be removed again."""
    sys.addaudithook(_on_event)
    os.environ.__class__ = _Environment


# The class is not public, but the one way to hear of each read.
class _Environment(os._Environ):  # type: ignore[type-arg]
    def __getitem__(self, name: str) -> str:
        value: str = super().__getitem__(name)
        if (used := _current.get()) is not None and _is_of_task(sys._getframe(1)):
            used.add_variable(name, value)
        return value


def _is_of_task(frame: FrameType | None) -> bool:
    """Return whether the code of a task reads a variable, perhaps by `os.getenv`."""
    while frame is not None and frame.f_code.co_filename in _READERS:
        frame = frame.f_back
    return frame is not None and not frame.f_code.co_filename.startswith((_PACKAGE, *_INSTALLED))


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in _EVENTS or (used := _current.get()) is None or _is_ours(sys._getframe(1)):
        return
    path, other, flags, *_ = arguments
    if event in _MOVES and isinstance(other, str | bytes):
        used.add_moved(other)
    elif event == "open" and isinstance(path, str | bytes) and isinstance(flags, int):
        used.add_file(path, flags)


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether lineagegraph opens a file, itself or by a library."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(_PACKAGE):
            return True
        if not name.startswith(_INSTALLED):
            return False
        frame = frame.f_back
    return False
