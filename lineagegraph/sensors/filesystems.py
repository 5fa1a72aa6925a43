"""Files and folders, here or wherever fsspec reaches."""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from glob import has_magic, iglob
from pathlib import Path
from typing import Any, Protocol

import fsspec

from lineagegraph.sensors.roots import is_url

_TIMES = ("mtime", "LastModified", "last_modified", "updated", "modified", "created")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder; without a time where its file system tells none."""

    path: str
    is_folder: bool
    size: int
    changed_at: float | None


class Files(Protocol):
    """What is asked of a file system. What is not there is no error, what may not be read is."""

    def find(self, path: str) -> Entry | None:
        """Return what is at a path."""

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield what a pattern matches."""

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield what is in a folder."""


def open_files(path: str, options: Mapping[str, Any]) -> tuple[Files, str]:
    """Return the file system of a path or URL, and the path in it, as things are now."""
    if not is_url(path):
        return LocalFiles(), path
    system, inside = fsspec.core.url_to_fs(path, **options)
    system.invalidate_cache()
    return RemoteFiles(system), inside


class LocalFiles:
    """Those of this machine, and what is mounted."""

    def find(self, path: str) -> Entry | None:
        """Return what is at a path, links followed."""
        try:
            found = Path(path).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        is_folder = stat.S_ISDIR(found.st_mode)
        return Entry(path, is_folder, found.st_size, found.st_mtime)

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield what a pattern matches."""
        self._check_readable(pattern)
        matched = iglob(pattern, recursive=True, include_hidden=True)  # noqa: PTH207 - pathlib's
        found = map(self.find, matched)  # `**` matches no files
        yield from (entry for entry in found if entry)

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield what is in a folder."""
        try:
            paths = list(Path(folder).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        found = (self.find(str(path)) for path in paths)
        yield from (entry for entry in found if entry)

    def _check_readable(self, pattern: str) -> None:
        """A pattern matches nothing in a folder that may not be read, without saying so."""
        folder = Path(pattern).parent
        while has_magic(str(folder)):
            folder = folder.parent
        with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
            next(entries, None)


@dataclass(frozen=True)
class RemoteFiles:
    """Those of an fsspec file system."""

    system: Any

    def find(self, path: str) -> Entry | None:
        """Return what is at a path."""
        try:
            return _entry(self.system.info(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield what a pattern matches."""
        found = self.system.glob(pattern, detail=True)
        yield from map(_entry, found.values())

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield what is in a folder."""
        try:
            found = map(_entry, self.system.ls(folder, detail=True))
        except (FileNotFoundError, NotADirectoryError):
            return
        # Some have a folder in itself, and a file in what is none.
        yield from (entry for entry in found if entry.path.strip("/") != folder.strip("/"))


def _entry(info: Mapping[str, Any]) -> Entry:
    is_folder = info.get("type") == "directory"
    return Entry(str(info["name"]), is_folder, int(info.get("size") or 0), _changed_at(info))


def _changed_at(info: Mapping[str, Any]) -> float | None:
    """File systems have no one word for it."""
    for name in _TIMES:
        match info.get(name):
            case datetime() as time:
                return time.timestamp()
            case int() | float() as seconds:
                return float(seconds)
            case str() as text:
                return datetime.fromisoformat(text).timestamp()
    return None
