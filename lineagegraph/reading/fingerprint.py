"""Fingerprints of the inputs of definition files, to detect changes."""

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.reading.importer import Inputs
from lineagegraph.settings import Settings
from lineagegraph.text import storable

_LARGE = 64 * 1024 * 1024
_UNSETTLED_NS = 1_000_000_000
_TICK_NS = 20_000_000
UNSETTLED = ""


class Stamp(NamedTuple):
    """A file's status: while it is the same, so is the content."""

    modified: int
    changed: int
    size: int
    inode: int


class FileStates:
    """Hashes of files and folders; a file is read again only if its status has changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Stamp, str]] = {}

    def fingerprint(self, inputs: Inputs, given: Mapping[str, Any], settings: Settings) -> str:
        """Return a hash of all inputs of a reading, with the values of its variables."""
        context = [settings.namespace, settings.zone, settings.application, dict(given)]
        files = {name: self._file(name) for name in inputs.files}
        folders = {name: _folder(name) for name in inputs.folders}
        return canonical_hash([context, _python(), _packages(), files, folders])

    def _file(self, name: str) -> str | None:
        stamp = _stamp(name)
        if stamp is None or stamp.size > _LARGE:
            return None if stamp is None else str(stamp)
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            known = stamp, _hash(name)
            # A file changed just now may change again within one tick of the clock.
            if time.time_ns() - stamp.changed > _UNSETTLED_NS:
                self._known[name] = known
        return known[1]


def changed_since(inputs: Inputs, moment: int) -> bool:
    """Return whether a file or folder changed after a time, in ns of the system clock."""
    stamps = map(_stamp, (*inputs.files, *inputs.folders))
    # Not the time of modification, which copies keep: a file can be replaced by an older one.
    return any(stamp.changed > moment - _TICK_NS for stamp in stamps if stamp)


def _stamp(name: str) -> Stamp | None:
    with suppress(OSError):
        found = os.stat(name)  # noqa: PTH116
        return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
    return None


def _hash(name: str) -> str:
    try:
        with open(name, "rb") as file:  # noqa: PTH123
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return str(error.errno)


def _folder(name: str) -> list[str] | None:
    with suppress(OSError):
        return sorted(map(storable, set(os.listdir(name)) - {"__pycache__"}))  # noqa: PTH208
    return None


@cache
def _python() -> list[str]:
    return [platform.python_version(), version("lineagegraph")]


def _packages() -> Iterable[int]:
    """Return the times at which packages were last installed or removed."""
    folders = {name for name in sys.path if name.endswith(("site-packages", "dist-packages"))}
    return [stamp.modified for stamp in map(_stamp, sorted(folders)) if stamp]
