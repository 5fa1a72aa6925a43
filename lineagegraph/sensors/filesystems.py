"""Files and folders, here or wherever fsspec reaches."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import fsspec

from lineagegraph.sensors.entry import Entry
from lineagegraph.sensors.local_files import LocalFiles
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.remote_files import RemoteFiles
from lineagegraph.sensors.roots import is_url


class Files(Protocol):
    """The operations of a file system. A missing path is no error, an unreadable one is."""

    def find(self, path: str) -> Entry | None:
        """Return the entry at a path."""

    def glob(self, pattern: str) -> Iterator[Entry]:
        """Yield the entries that match a pattern."""

    def inside(self, folder: str) -> Iterator[Entry]:
        """Yield the entries of a folder."""


def open_files(path: str, options: Mapping[str, Any], policy: SensorPolicy) -> tuple[Files, str]:
    """Return the file system of a path or URL, and the path in it, as things are now."""
    if not is_url(path):
        # An error about a file outside of the roots would show that there is one.
        return LocalFiles(policy.roots.has) if policy.confined else LocalFiles(), path
    if policy.confined:
        policy.check_options(options)
    system, inside = fsspec.core.url_to_fs(path, **options)
    system.invalidate_cache()
    if not system.async_impl:
        # fsspec keeps it for the next poke, when its connection may have ended long ago.
        type(system).clear_instance_cache()
    return RemoteFiles(system), inside
