"""The files that the code of a task opens, by Python's audit events."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from lineagegraph.file_states import states_of_use

_WRITES = os.O_WRONLY | os.O_RDWR
_INSTALLED = ("<frozen ", f"{sys.prefix}/", f"{sys.base_prefix}/")
_SYSTEM = ("/proc/", "/dev/", "/sys/", "/etc/", "/usr/", *_INSTALLED)
_PACKAGE = f"{Path(__file__).parents[1]}/"
_COMPILED = (".pyc", ".so")
_MOST = 200

_current: ContextVar["UsedFiles | None"] = ContextVar("lineagegraph_used_files", default=None)


class UsedFiles:
    """The paths that a task opened; files below `apart` are not its data."""

    def __init__(self, apart: Iterable[Path]) -> None:
        self._apart = (*_SYSTEM, _PACKAGE, *(f"{folder}/" for folder in apart))
        self._read: dict[str, None] = {}
        self._written: dict[str, None] = {}

    @contextmanager
    def receiving(self) -> Iterator[None]:
        """Receive the paths that this thread opens, and contexts copied from it."""
        _install()
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def add(self, path: str | bytes, flags: int) -> None:
        """Add a path that is opened with these flags."""
        name = os.path.realpath(os.fsdecode(path))
        found = self._written if flags & _WRITES else self._read
        is_data = not name.startswith(self._apart) and not name.endswith(_COMPILED)
        if is_data and len(found) < _MOST:
            found[name] = None

    def states(self) -> dict[str, Any]:
        """Return the states of the files, as `states_of_use` does."""
        return states_of_use(
            (path for path in self._read if path not in self._written), self._written
        )


@cache
def _install() -> None:
    """Add the hook, which cannot be removed again."""
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or (used := _current.get()) is None:
        return
    path, _, flags = arguments
    if isinstance(path, str | bytes) and isinstance(flags, int) and not _is_ours(sys._getframe(1)):
        used.add(path, flags)


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
