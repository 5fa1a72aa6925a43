"""Where definition files are: on which host, below which root."""

import socket
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lineagegraph.model.names.canonical import canonical_hash
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.definition_files import FileRow
from lineagegraph.store.pipelines.definition_paths import PathRow


@cache
def this_host() -> str:
    """Return the name of this machine."""
    return socket.gethostname()


class Target(NamedTuple):
    """A file that is to be read; `row` is what the graph has of it."""

    file: Path
    root: Path
    row: FileRow | None

    @property
    def path(self) -> str:
        """The file as people name it: below its root."""
        return str(self.file.relative_to(self.root))

    @property
    def key(self) -> str:
        """The key of its node."""
        return canonical_hash(["definition file", this_host(), str(self.root), self.path])

    def settings(self, settings: Settings) -> Settings:
        """Return settings with what held when the file was read last."""
        return settings_of(self.row, settings) if self.row and self.row.namespace else settings


def settings_of(row: FileRow | PathRow, settings: Settings) -> Settings:
    """Return settings with what held when a file or path was read last."""
    said = {"namespace": row.namespace, "zone": row.zone, "application": row.application}
    return settings.model_copy(update=said)


def known_target(row: FileRow) -> Target:
    """Return a file that the graph knows."""
    return Target(Path(row.file), Path(row.root), row)


def path_key(path: Path) -> str:
    """Return the key of a path that definitions are read from."""
    return canonical_hash(["definition path", this_host(), str(path)])


def identity(path: Path) -> str | None:
    """Tell a folder from another that took its place, as where a disk was mounted."""
    found = path.stat()
    return f"{found.st_dev}:{found.st_ino}" if path.is_dir() else None
