"""Files and folders, here or wherever fsspec reaches."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import fsspec

from lineagegraph.sensors.entry import Entry
from lineagegraph.sensors.local_files import LocalFiles
from lineagegraph.sensors.remote_files import RemoteFiles
from lineagegraph.sensors.roots import is_url


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
