"""Files and folders that fsspec reaches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lineagegraph.sensors.entry import Entry

_TIMES = ("mtime", "LastModified", "last_modified", "updated", "modified", "created")
_MILLISECONDS = "modificationTime"  # of WebHDFS


@dataclass(frozen=True)
class RemoteFiles:
    """Those of an fsspec file system."""

    system: Any

    def find(self, path: str) -> Entry | None:
        """Return the entry at a path."""
        try:
            return _entry(self.system.info(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield the entries that match a pattern."""
        found = self.system.glob(pattern, detail=True)
        yield from map(_entry, found.values())

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield the entries of a folder."""
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
    at = info.get(_MILLISECONDS)
    return None if at is None else at / 1000
