"""Files and folders of this machine."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from glob import has_magic, iglob
from pathlib import Path

from lineagegraph.sensors.entry import Entry


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
